#!/bin/sh
# What takes too long for every run of the tests: a hundred kills under load.
set -eu
cd "$(dirname "$0")/../.."
ARC_KILL_ROUNDS="${ARC_KILL_ROUNDS:-100}" cargo test --release -p arc-reference-broker --test broker -- kills_under_load
