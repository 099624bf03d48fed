# Chooses the widget in a dump of uiautomator. Prints its middle, its edges, the length of its text and what it is known by.
function attribute(name,    at) {
    if (!match($0, "[ \n]" name "=\"[^\"]*\"")) return ""
    at = RSTART + length(name) + 3
    return decoded(substr($0, at, RSTART + RLENGTH - at - 1))
}
function decoded(text,    out, name) {
    while (match(text, /&[#A-Za-z0-9]+;/)) {
        name = substr(text, RSTART + 1, RLENGTH - 2)
        out = out substr(text, 1, RSTART - 1) character(name)
        text = substr(text, RSTART + RLENGTH)
    }
    return out text
}
function character(name,    code) {
    if (name == "lt") return "<"
    if (name == "gt") return ">"
    if (name == "amp") return "&"
    if (name == "quot") return "\""
    if (name == "apos") return "\047"
    code = name ~ /^#x/ ? hexadecimal(substr(name, 3)) : substr(name, 2) + 0
    # Old versions write one character as two surrogates.
    if (code >= 55296 && code < 56320) { high = code; return "" }
    if (code >= 56320 && code < 57344) code = (high - 55296) * 1024 + code - 56320 + 65536
    if (code < 128) return sprintf("%c", code)
    if (code < 2048) return sprintf("%c%c", 192 + int(code / 64), 128 + code % 64)
    if (code < 65536) return sprintf("%c%c%c", 224 + int(code / 4096), 128 + int(code / 64) % 64, 128 + code % 64)
    return sprintf("%c%c%c%c", 240 + int(code / 262144), 128 + int(code / 4096) % 64, 128 + int(code / 64) % 64, 128 + code % 64)
}
function hexadecimal(digits,    value, i) {
    for (i = 1; i <= length(digits); i++)
        value = value * 16 + index("0123456789abcdef", tolower(substr(digits, i, 1))) - 1
    return value
}
# A text that was cut ends with an ellipsis.
function same(wanted, shown,    kept) {
    if (wanted == "" || wanted == shown) return 1
    kept = length(wanted) - 3
    return kept > 0 && substr(wanted, kept + 1) == "\342\200\246" && substr(wanted, 1, kept) == substr(shown, 1, kept)
}
function is_id(n,    short) {
    short = id[n]
    sub(/^.*\//, "", short)
    return wanted_id == id[n] || index(wanted_id, "/") == 0 && wanted_id == short
}
# A hint, or a text inside it.
function says(n,    m) {
    for (m = n; m <= last[n]; m++)
        if (same(wanted_caption, text[m]) || same(wanted_caption, description[m]) || same(wanted_caption, hint[m])) return 1
    return 0
}
function fits(n,    named) {
    named = wanted_id != "" || wanted_description != ""
    return (wanted_id == "" || is_id(n)) && same(wanted_description, description[n]) \
        && (same(wanted_text, text[n]) || same(wanted_text, hint[n]) || named && class[n] ~ /EditText$/) \
        && (wanted_class == "" || wanted_class == class[n]) && (wanted_caption == "" || says(n))
}
function holds(n) {
    return left[n] <= at_x && at_x < right[n] && top[n] <= at_y && at_y < bottom[n]
}
function candidate(n, by) {
    if (by == "all") return fits(n)
    if (by == "resource-id") return wanted_id != "" && is_id(n)
    if (by == "text") return wanted_text != "" && same(wanted_text, text[n])
    if (by == "description") return wanted_description != "" && same(wanted_description, description[n])
    if (by == "caption") return wanted_caption != "" && says(n)
    return ENVIRON["AT_X"] != "" && holds(n)
}
BEGIN {
    RS = "<"
    # As in a dump: nothing in a script is hidden from its reader.
    wanted_id = decoded(ENVIRON["ID"])
    wanted_text = decoded(ENVIRON["TEXT"])
    wanted_description = decoded(ENVIRON["DESCRIPTION"])
    wanted_caption = decoded(ENVIRON["CAPTION"])
    wanted_class = decoded(ENVIRON["CLASS"])
}
/^\/node>/ { depth-- }
/^node[ \n]/ {
    count++
    depth++
    open[depth] = count
    # What is behind a widget and deeper is inside it.
    for (i = 1; i <= depth; i++) last[open[i]] = count
    id[count] = attribute("resource-id")
    text[count] = attribute("text")
    description[count] = attribute("content-desc")
    hint[count] = attribute("hint")
    class[count] = attribute("class")
    split(attribute("bounds"), edges, /[][,]+/)
    left[count] = edges[2] + 0
    top[count] = edges[3] + 0
    right[count] = edges[4] + 0
    bottom[count] = edges[5] + 0
    if (depth == 1 && right[count] > width) width = right[count]
    if (depth == 1 && bottom[count] > height) height = bottom[count]
    if ($0 ~ /\/>[ \r\n]*$/) depth--
}
END {
    if (!count) exit
    at_x = int(width * ENVIRON["AT_X"] / 10000)
    at_y = int(height * ENVIRON["AT_Y"] / 10000)
    if (ENVIRON["PLACE"] != "") {
        print at_x, at_y
        exit
    }
    kinds = split("all resource-id text description caption place", known, " ")
    for (k = 1; k <= kinds && !found; k++) {
        place = number = 0
        for (n = 1; n <= count; n++) {
            if (!candidate(n, known[k])) continue
            how = known[k]
            if (!found || how == "place") found = n
            if (ENVIRON["NTH"] != "" && how == "all" && number++ == ENVIRON["NTH"]) place = n
            if (ENVIRON["NTH"] == "" && ENVIRON["AT_X"] != "" && holds(n)) place = n
        }
        if (place) found = place
        else if (found && ENVIRON["NTH"] != "" && how == "all") found = 0
    }
    if (!found) exit
    n = found
    if (left[n] < 0) left[n] = 0
    if (top[n] < 0) top[n] = 0
    if (right[n] > width) right[n] = width
    if (bottom[n] > height) bottom[n] = height
    x = int((left[n] + right[n]) / 2)
    y = int((top[n] + bottom[n]) / 2)
    if (how == "place") { x = at_x; y = at_y }
    characters = length(text[n])
    if (characters > 500) characters = 500
    print x, y, left[n], top[n], right[n], bottom[n], characters, how
}
