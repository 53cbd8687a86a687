#!/bin/bash
# Plays a tournament as a Slurm job array and merges the shards when all jobs have ended:
#
#   examples/cluster/submit.sh tournament.toml 16 results/
#
# This example has 16 shards, each with the cores that part.sh requests. Every shard has its own store, so the
# machines do not wait for each other. Run the command again after a failure: finished shards end at once, and
# the others resume.
set -euo pipefail

if [[ $# -ne 3 ]]; then
    echo "usage: $0 TOURNAMENT.toml PARTS FOLDER" >&2
    exit 2
fi
file=$1 parts=$2 folder=$3
here=$(dirname "$0")
mkdir -p "$folder"

array=$(sbatch --parsable --array="1-$parts" --output="$folder/part-%a.log" \
    "$here/part.sh" "$file" "$folder")
sbatch --dependency="afterok:$array" --output="$folder/merge.log" --job-name=tussle-merge \
    --wrap="tussle results merge $(printf '%q/part-*.db' "$folder") --into $(printf '%q/all.db' "$folder")"
echo "array $array; the results will be in $folder/all.db: tussle results $folder/all.db"
