#!/usr/bin/env bash
# nodejs-polars 0.25.2: a moving standard deviation does not recover from one large value.
#
# The window slides by adding the value that enters and taking away the one that leaves. After a value of 1e18 has left again, what it
# rounded away is lost, so that all later windows are wrong, though they hold none but small values.
. "$(dirname "$0")/packages.bash"
npm_packages nodejs-polars@0.25.2 "nodejs-polars-linux-x64-gnu@0.25.2"
cat > "$TEMP/look.js" <<'JS'
const pl = require("nodejs-polars").default ?? require("nodejs-polars");
const values = [1, 2, 4, 1e18, 1, 2, 4, 8, 16, 32, 64, 128];
const moving = pl.Series("v", values).cast(pl.Float64).rollingStd(3).toArray();
const fresh = (w) => { const m = (w[0] + w[1] + w[2]) / 3; return Math.sqrt(w.reduce((s, x) => s + (x - m) ** 2, 0) / 2); };
console.log(moving.slice(2, 3).map((x) => x.toFixed(6)).join(), fresh(values.slice(0, 3)).toFixed(6));
console.log(moving.slice(-2).map((x) => x.toFixed(6)).join(), [fresh(values.slice(-4, -1)), fresh(values.slice(-3))].map((x) => x.toFixed(6)).join());
JS
readarray -t lines < <(cd "$TEMP" && node look.js)
expect 'before it: rolling, afresh' '1.527525 1.527525' "${lines[0]}"
expect 'the last two after it: rolling, afresh' '8589934592.000000,8589934592.000000 24.440404,48.880807' "${lines[1]}"
finish
