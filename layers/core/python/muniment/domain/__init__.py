"""Rules of project memory: plain values in and out; no clock, no network, no randomness."""
