"""The drivers: loops that call and sleep as the engine says, and decide nothing."""
