"""How the world comes in: routes, sockets, streams, and what guards them."""
