"""What the durable engines share: the state of a wait between two attempts, and the fingerprint of its arguments."""
