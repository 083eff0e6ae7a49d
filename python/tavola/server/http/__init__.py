"""The HTTP interface: routes, sockets, streams and the middleware that protects them."""
