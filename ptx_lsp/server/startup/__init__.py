"""From a new process to a running server: the first answer, the message loop, sockets, the end of the parent."""
