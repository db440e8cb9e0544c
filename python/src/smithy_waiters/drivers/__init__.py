"""The drivers: loops that call and sleep as the engine's steps say, and decide nothing."""
