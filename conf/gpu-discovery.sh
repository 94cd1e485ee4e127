#!/bin/sh
# Tells Spark which GPUs this process can use, as spark.{worker,driver,executor}.resource.gpu.discoveryScript:
#
#   {"name": "gpu", "addresses": ["0", "1"]}
#
# An address is the index of a GPU in the order of the PCI bus, as nvidia-smi numbers them, among those
# that CUDA shows to this process. Where there is none, or the driver does not answer, the list is empty
# and the reason goes to the error stream. Shell built-ins only.
#
#   CUDA_VISIBLE_DEVICES        what CUDA shows: its devices are numbered from 0
#   STENCIL_DEVICE_FOLDER       where device files are, /dev unless set

note() {
  echo "gpu-discovery: $*" >&2
}

# Prints the numbers from 0 to one less than $1, one in each line.
count_up() {
  number=0
  while [ "$number" -lt "$1" ]; do
    echo "$number"
    number=$((number + 1))
  done
}

# Prints how many of $1 devices CUDA_VISIBLE_DEVICES names; CUDA ignores what follows an invalid one.
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

# Prints one index in each line, from what nvidia-smi says.
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
    # CUDA shows one instance to a process, whatever their number.
    if [ "$instances" -gt 1 ]; then
      note "$instances MIG instances, but a process can use one; start a worker for each, with its UUID in CUDA_VISIBLE_DEVICES"
    fi
    echo 0
  else
    count_up "$gpus"
  fi
}

# Prints one index for each device file, where nvidia-smi is not installed, as in slim images.
count_device_files() {
  files=0
  for file in "${STENCIL_DEVICE_FOLDER:-/dev}"/nvidia[0-9]*; do
    if [ -e "$file" ]; then files=$((files + 1)); fi
  done
  if [ "$files" -eq 0 ]; then
    note "there is neither nvidia-smi on the PATH nor an NVIDIA device file"
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
