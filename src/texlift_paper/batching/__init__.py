"""Trees of one shape together: topologies, clustering, padding to hulls, levels."""
