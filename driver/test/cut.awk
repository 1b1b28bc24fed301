# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Definitions of the functions, macros and structs of C files that are named in `names`.
BEGIN { n = split(names, a, " "); for (i = 1; i <= n; i++) want[a[i]] = 1 }
/^#define/ { split($2, m, "("); if (m[1] in want) print; next }
/^[a-z].*\(/ && !on { split($0, b, "("); w = b[1]; sub(/.*[ *]/, "", w); if (w in want) on = 1 }
/^struct [a-z_]+ \{/ && $2 in want { on = 1 }
on { print }
on && /^}/ { on = 0; print "" }
