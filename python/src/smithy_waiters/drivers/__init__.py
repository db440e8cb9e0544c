"""The drivers: loops that perform the steps of the engine. They make no decisions."""
