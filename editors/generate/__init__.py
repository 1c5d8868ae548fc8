"""Makes the files of editors that say something about PTX or the settings: ``python -m editors.generate``."""
