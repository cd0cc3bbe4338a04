log() { echo "$1"; }
function compute { echo $(( $1 + 1 )); }
check() { [[ -n "$1" ]] && compute "$1"; } #: calls compute
usage() { log "of the library"; } #: calls log
