"""What several rules share: findings, wording, fixes."""
