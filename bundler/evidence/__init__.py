"""NCCL and nccl-tests output → proof of transport, bandwidth, and what class of evidence a number is."""
