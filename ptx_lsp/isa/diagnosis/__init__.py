"""Why a statement fits no form, and the nearest spelling that does."""
