"""Startup and message loop of the server process: first response, sockets, exit with the parent process."""
