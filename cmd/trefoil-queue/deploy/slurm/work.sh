#!/bin/bash
# Workers of trefoil-queue, one in each task of a job array, until the job is cancelled:
#
#   sbatch --array=1-8 --cpus-per-task=4 cmd/trefoil-queue/deploy/slurm/work.sh queue/worker.url
#
# The file is in a folder that all nodes share. A second argument is the size of the table in MiB. The job of a worker
# that ends, or whose node fails, goes to another one.
#
#SBATCH --job-name=trefoil-work
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=%x-%a.log
set -eu
exec trefoil-queue work --queue "$1" --threads "${SLURM_CPUS_PER_TASK:-1}" --hash "${2:-1024}"
