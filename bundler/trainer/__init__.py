"""What Kubeflow Trainer makes of a TrainJob and its runtime, offline and per version."""
