"""Parts that several rules share: findings, wording, fixes."""
