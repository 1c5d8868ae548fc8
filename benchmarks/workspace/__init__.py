"""The server in a large workspace: responses while it is read for the first time, and after."""
