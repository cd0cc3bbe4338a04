#!/usr/bin/env bash
source "$(dirname "$0")/lib.sh" #: imports lib.sh

usage() {
  log "usage" #: calls lib.sh::log
}

main() {
  local value
  value=$(compute 1) #: calls lib.sh::compute
  if ! check "$value"; then #: calls lib.sh::check
    usage #: calls usage
  fi
  compute 2 | log #: calls lib.sh::compute, lib.sh::log
  trap usage EXIT #: calls usage
  printf '%s\n' "$value" #: calls -
}

main "$@" #: calls main
