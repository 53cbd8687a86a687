#!/bin/bash
#SBATCH --job-name=tussle
#SBATCH --cpus-per-task=4
#SBATCH --time=04:00:00
#SBATCH --requeue
#
# One part of a tournament. Slurm says which one this is and how many cores it has; clocks are
# only fair if they are this job's alone, so ask for whole cores.
set -euo pipefail

file=$1 folder=$2
part=${SLURM_ARRAY_TASK_ID:?run it as a job array, see submit.sh}
parts=${SLURM_ARRAY_TASK_COUNT:?run it as a job array, see submit.sh}

# A job that was preempted and queued again goes on with its store.
exec tussle tournament "$file" --shard "$part/$parts" \
    --store "$folder/part-$part.db" --jobs "${SLURM_CPUS_PER_TASK:-1}"
