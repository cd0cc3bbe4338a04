# The bars of branch coverage: coverage_bars.sh COVERAGE FOLDER, run in the root after a measured run of
# the tests left its data files in FOLDER. Processes that were killed leave pieces nobody can read; they are passed over.
"$1" combine -q --data-file="$2/data" "$2" 2> /dev/null
"$1" report --data-file="$2/data" --format=total --fail-under=90
exact='agrama/protocol/*,agrama/errors.py,agrama/schema.py,agrama/cache.py,graph/keys.py,graph/journal.py'
# All of it is covered; the bar leaves room for a line that random messages reach on most days only.
"$1" report --data-file="$2/data" --show-missing --skip-covered --include="$exact" --fail-under=99
