set -u
adb=${ADB:-adb}
again=${PAUSE:-1}
rotation=0
lost=
number=0
seen=$(mktemp) || exit 2

say() {
    printf '%s\n' "$*" >&2
}

die() {
    say "$@"
    exit 2
}

# Runs a line in the device's shell.
device() {
    "$adb" shell "$1" </dev/null
}

# A word for the device's shell.
quoted() {
    printf '%s\n' "$1" | sed "s/'/'\\\\''/g; 1s/^/'/; \$s/\$/'/"
}

setting() {
    device "settings get $1 $2" | tr -d '\r'
}

put_back() {
    rm -f "$seen"
    connect
    device "settings put system user_rotation ${old_rotation:-0}; settings put system accelerometer_rotation ${old_turning:-1}" >/dev/null 2>&1
}

turn() {
    rotation=$1
    device "settings put system accelerometer_rotation 0; settings put system user_rotation $rotation" >/dev/null
}

is_alive() {
    [ -n "$(device "pidof $package" | tr -d '\r')" ]
}

# Switches the network off, or on again. One that adb comes through stays.
toggle_network() {
    if [ -n "$lost" ]; then
        connect
        return
    fi
    case $("$adb" get-serialno 2>/dev/null) in
    127.0.0.1:* | localhost:*) ;;
    *:* | *._tcp*)
        not_performed "adb reaches the device over its network"
        return
        ;;
    esac
    case $(setting global wifi_on) in 1 | 2) lost="wifi" ;; esac
    case $(setting global mobile_data) in 1) lost="$lost data" ;; esac
    [ -n "$lost" ] || not_performed "the device has no network that it can lose"
    for part in $lost; do
        device "svc $part disable" >/dev/null
    done
}

connect() {
    for part in $lost; do
        device "svc $part enable" >/dev/null
    done
    lost=
}

# Starts the app, or brings it to the front.
launch() {
    launcher=$(device "cmd package resolve-activity --brief -a android.intent.action.MAIN -c android.intent.category.LAUNCHER $package" 2>/dev/null | tr -d '\r' | grep -F "$package/" | tail -n 1)
    if [ -n "$launcher" ]; then
        device "am start -W -a android.intent.action.MAIN -c android.intent.category.LAUNCHER -f 0x10200000 -n $(quoted "$launcher")" >/dev/null
    else
        device "monkey -p $package -c android.intent.category.LAUNCHER 1" >/dev/null
    fi
}

relaunch() {
    turn 0
    connect
    device "am force-stop $package"
    launch
}

# Leaves the app, and returns.
away() {
    device "input keyevent 3"
    sleep "$again"
    if [ $# -gt 0 ]; then
        device "$1"
    fi
    launch
}

# Cleared data, and the permissions that the app requests if the argument is 1.
prepare() {
    device "am force-stop $package; pm clear $package" | grep -q Success || die "the data of $package cannot be cleared: install the app first"
    if [ "$1" = 1 ]; then
        for permission in $(device "dumpsys package $package" | tr -d '\r' | awk '
            /requested permissions:$/ { on = 1; next }
            /permissions:$/ { on = 0 }
            on { sub(/:.*/, ""); if ($1 ~ /^[A-Za-z0-9_.]+$/) print $1 }'); do
            device "pm grant $package $permission" >/dev/null 2>&1
        done
    fi
    old_turning=$(setting system accelerometer_rotation)
    old_rotation=$(setting system user_rotation)
    trap put_back EXIT
    trap 'exit 2' HUP INT TERM
    turn 0
    device "logcat -b crash -b events -c" >/dev/null 2>&1
}

# Announces a step. The script ends here if the finding is there; an app that is gone is started again.
step() {
    reproduced && finish 0
    if [ "$number" -gt 0 ] && ! is_alive; then
        launch
    fi
    number=$1
    say "step $1: $2"
}

not_performed() {
    say "not performed: $1"
}

look() {
    device "rm -f /data/local/tmp/droidtest-export.xml; uiautomator dump /data/local/tmp/droidtest-export.xml >/dev/null 2>&1; cat /data/local/tmp/droidtest-export.xml" 2>/dev/null >"$seen"
}

# Finds a widget by its id, text, description, caption, class, number among equal ones (empty: the one at its old place,
# or the first), and by its place on the screen in ten-thousandths. Sets x and y, its edges, and the length of its text.
find_widget() {
    tries=0
    while :; do
        look
        found=$(LC_ALL=C ID=$1 TEXT=$2 DESCRIPTION=$3 CAPTION=$4 CLASS=$5 NTH=$6 AT_X=$7 AT_Y=$8 awk "$choose" "$seen")
        if [ -n "$found" ]; then
            read -r x y left top right bottom length how <<END
$found
END
            if [ "$how" = all ]; then
                return
            elif [ "$tries" -ge 3 ]; then
                say "step $number: the widget was identified by its $how only"
                return
            fi
        elif [ "$tries" -ge 5 ]; then
            reproduced && finish 0
            die "step $number: the widget is not on the screen"
        fi
        tries=$((tries + 1))
        sleep "$again"
    done
}

# A place on the screen, in ten-thousandths.
find_place() {
    look
    read -r x y <<END
$(LC_ALL=C PLACE=1 AT_X=$1 AT_Y=$2 awk "$choose" "$seen")
END
    [ -n "$x" ] || die "step $number: the screen cannot be read"
}

tap() {
    device "input tap $x $y"
}

long_press() {
    device "input swipe $x $y $x $y 900"
}

# Across the widget in the finger's direction, leaving out a part of it at each edge, in so many milliseconds.
swipe() {
    low_x=$((left + (right - left) / $2)) high_x=$((right - 1 - (right - left) / $2))
    low_y=$((top + (bottom - top) / $2)) high_y=$((bottom - 1 - (bottom - top) / $2))
    case $1 in
    up) device "input swipe $x $high_y $x $low_y $3" ;;
    down) device "input swipe $x $low_y $x $high_y $3" ;;
    left) device "input swipe $high_x $y $low_x $y $3" ;;
    right) device "input swipe $low_x $y $high_x $y $3" ;;
    esac
}

# A tap inside the widget, in ten-thousandths of its size.
tap_inside() {
    device "input tap $((left + (right - left) * $1 / 10000)) $((top + (bottom - top) * $2 / 10000))"
}

# Replaces the text of the widget. A blank is %s to Android; a text that has %s itself goes in pieces.
type_text() {
    tap
    keys=
    while [ "$length" -gt 0 ]; do
        keys="$keys 67" length=$((length - 1))
    done
    [ -z "$keys" ] || device "input keyevent 123$keys"
    rest=$1
    while [ -n "$rest" ]; do
        case $rest in
        *%s*) piece=${rest%%"%s"*}% rest=s${rest#*"%s"} ;;
        *) piece=$rest rest= ;;
        esac
        device "input text $(quoted "$(printf '%s\n' "$piece" | sed 's/ /%s/g')")"
    done
}

# Has the app crashed as it did? If a frame is known, it is in the stack.
has_crashed() {
    device "logcat -b crash -d" 2>/dev/null | tr -d '\r' |
        LC_ALL=C PACKAGE=$package EXCEPTION=$exception FRAME=$frame awk '
            function has(word, at, rest) {
                at = index($0, word)
                rest = at ? substr($0, at + length(word), 1) : "x"
                return at && rest !~ /[A-Za-z0-9_$.]/
            }
            /FATAL EXCEPTION/ { ours = thrown = through = 0 }
            has("Process: " ENVIRON["PACKAGE"]) { ours = 1 }
            ours && has(ENVIRON["EXCEPTION"]) { thrown = 1 }
            ours && has("at " ENVIRON["FRAME"]) { through = 1 }
            ours && (thrown || ENVIRON["EXCEPTION"] == "") && (through || ENVIRON["FRAME"] == "") { done = 1 }
            END { exit !done }'
}

has_anr() {
    device "logcat -b events -d -s am_anr" 2>/dev/null | grep -q -F ",$package,"
}

# A command of an emulator's console, as one word.
emulator() {
    "$adb" emu "$1" </dev/null >/dev/null 2>&1 || not_performed "only an emulator has: $1"
}

# Looks for the finding so many times.
await() {
    tries=0
    while ! reproduced; do
        tries=$((tries + 1))
        [ "$tries" -lt "$1" ] || finish 1
        sleep "$again"
    done
    finish 0
}

finish() {
    case $1 in
    0) say "reproduced" ;;
    1) say "not reproduced" ;;
    3) say "all steps were performed: look at the screen" ;;
    esac
    exit "$1"
}
