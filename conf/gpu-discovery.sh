#!/bin/sh
# Tells Spark which GPUs this process can use. Set it as spark.{worker,driver,executor}.resource.gpu.discoveryScript.
# Output:
#
#   {"name": "gpu", "addresses": ["0", "1"]}
#
# An address is the index of a GPU in PCI bus order, as in nvidia-smi, among the GPUs that CUDA shows to this
# process. If there is no GPU, or the driver does not answer, the list is empty and the reason goes to standard
# error. The script uses only shell built-ins.
#
#   CUDA_VISIBLE_DEVICES        the devices that CUDA shows, which it numbers from 0
#   STENCIL_DEVICE_FOLDER       the folder of device files; default /dev

note() {
  echo "gpu-discovery: $*" >&2
}

# Prints the numbers from 0 to $1 - 1, one per line.
count_up() {
  number=0
  while [ "$number" -lt "$1" ]; do
    echo "$number"
    number=$((number + 1))
  done
}

# Prints how many of $1 devices CUDA_VISIBLE_DEVICES names. CUDA ignores everything after an invalid entry.
visible_devices() {
  count=0
  rest="$CUDA_VISIBLE_DEVICES,"
  while [ -n "$rest" ]; do
    device="${rest%%,*}"
    rest="${rest#*,}"
    case "$device" in
      GPU-* | MIG-*) ;;
      '' | *[!0-9]*) break ;;
      *) [ "$device" -lt "$1" ] || break ;;
    esac
    count=$((count + 1))
  done
  echo "$count"
}

nvidia_smi() {
  if command -v timeout >/dev/null 2>&1; then
    timeout 30 nvidia-smi "$@" 2>&1
  else
    nvidia-smi "$@" 2>&1
  fi
}

# Prints one index per line, from the output of nvidia-smi.
ask_driver() {
  answer="$(nvidia_smi -L)"
  status=$?
  gpus=0
  instances=0
  while IFS= read -r line; do
    case "$line" in
      "GPU "[0-9]*": "*"(UUID: GPU-"*) gpus=$((gpus + 1)) ;;
      *"MIG "*"(UUID: MIG-"*) instances=$((instances + 1)) ;;
    esac
  done <<EOF
$answer
EOF
  if [ "$gpus" -eq 0 ]; then
    note "nvidia-smi lists no GPU (exit code $status): ${answer:-no answer}"
  elif [ "$instances" -gt 0 ]; then
    # CUDA shows only one instance to a process, however many there are.
    if [ "$instances" -gt 1 ]; then
      note "$instances MIG instances, but a process can use only one; start a worker for each, with its UUID in CUDA_VISIBLE_DEVICES"
    fi
    echo 0
  else
    count_up "$gpus"
  fi
}

# Prints one index per device file, for images without nvidia-smi.
count_device_files() {
  files=0
  for file in "${STENCIL_DEVICE_FOLDER:-/dev}"/nvidia[0-9]*; do
    if [ -e "$file" ]; then files=$((files + 1)); fi
  done
  if [ "$files" -eq 0 ]; then
    note "found neither nvidia-smi on the PATH nor an NVIDIA device file"
  fi
  count_up "$files"
}

find_addresses() {
  if command -v nvidia-smi >/dev/null 2>&1; then
    found="$(ask_driver)"
  else
    found="$(count_device_files)"
  fi
  if [ -n "$found" ] && [ -n "${CUDA_VISIBLE_DEVICES+set}" ]; then
    count=0
    for address in $found; do count=$((count + 1)); done
    count_up "$(visible_devices "$count")"
  elif [ -n "$found" ]; then
    echo "$found"
  fi
}

addresses=
for address in $(find_addresses); do
  addresses="$addresses${addresses:+, }\"$address\""
done
echo "{\"name\": \"gpu\", \"addresses\": [$addresses]}"
