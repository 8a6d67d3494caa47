"""Training the translator: examples, fit, calibrate, evaluate, report. Needs PyTorch."""
