#!/bin/bash
# Tasks of a job array that share a file of positions. Task I of N solves every N-th line, from line I on:
#
#   sbatch --array=1-8 cmd/trefoil-queue/deploy/slurm/solve.sh results solve connect4 positions
#
# The first argument is a folder, in which each task has a file; the others are the command. A task that is requeued, or
# a job that is submitted again, goes on behind what stands in these files.
#
#SBATCH --job-name=trefoil
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=%x-%a.log
set -eu
results=$1
shift
mkdir -p "$results"
exec trefoil "$@" --jobs "${SLURM_CPUS_PER_TASK:-1}" --shard auto --resume "$results/$SLURM_ARRAY_TASK_ID.jsonl"
