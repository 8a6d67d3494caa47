"""The scorer: features with names, batches, the network and its engine."""
