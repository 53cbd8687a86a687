#!/bin/bash
#SBATCH --job-name=tussle
#SBATCH --cpus-per-task=4
#SBATCH --time=04:00:00
#SBATCH --requeue
#
# Plays one shard of a tournament. Slurm sets the number of the shard and of its cores. Clocks are only fair if
# the job does not share its cores, so request whole cores.
set -euo pipefail

file=$1 folder=$2
part=${SLURM_ARRAY_TASK_ID:?start this script as a job array, see submit.sh}
parts=${SLURM_ARRAY_TASK_COUNT:?start this script as a job array, see submit.sh}

# A job that was preempted and queued again resumes from its store.
exec tussle tournament "$file" --shard "$part/$parts" \
    --store "$folder/part-$part.db" --jobs "${SLURM_CPUS_PER_TASK:-1}"
