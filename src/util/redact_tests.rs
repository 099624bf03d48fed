//! Secrets as they are, cut, spelled, packed and in pieces.

use super::*;
use crate::util::text::shorten;

#[test]
fn the_longest_secret_goes_first() {
    let redactor = Redactor::new(["abcd".into(), "abcdef".into(), "no".into()]);
    assert_eq!(redactor.redact("xabcdefy abcd no"), "x***y *** no");
}

#[test]
fn what_is_left_of_a_secret_that_was_shortened_is_hidden() {
    let redactor = Redactor::new(["correct horse battery".into()]);
    assert_eq!(
        redactor.redact("by correct horse b… · cor… · correct"),
        "by ***… · cor… · correct"
    );
    let shown = shorten("correct horse battery", 9);
    assert_eq!(redactor.redact(&shown), "***…");
}

#[test]
fn what_a_field_keeps_of_a_secret_is_hidden_and_nothing_else_is() {
    let mut redactor = Redactor::new(["adalovelace".into()]);
    assert_eq!(redactor.redact("hello adalov"), "hello adalov");
    for kept in ["adalov", "ada", "hello"] {
        redactor.hide_cut(kept);
    }
    assert_eq!(
        redactor.redact("hello adalov, ada, adalovelace"),
        "hello ***, ada, ***"
    );
}

#[test]
fn a_word_that_a_secret_begins_with_is_hidden_where_only_people_read() {
    let redactor = Redactor::new(["correct horse".into()]).and_words();
    assert_eq!(
        redactor.redact("“correct h”, correct, corrected, incorrect, corr"),
        "“***”, ***, corrected, incorrect, ***"
    );
    // Other tests of this process may have hidden secrets of their own.
    assert_eq!(Redactor::default().and_words().redact("correct"), "correct");
}

#[test]
fn each_line_of_a_secret_is_one() {
    let redactor = Redactor::new(["line one\nline two".into()]);
    assert_eq!(redactor.redact("a line two"), "a ***");
    assert_eq!(redactor.redact("line one\nline two"), "***");
}

const HARD: &str = "p@ss wörd<&\"'\\x/😀";

#[test]
fn a_secret_is_known_however_it_is_spelled() {
    let redactor = Redactor::new([HARD.to_owned()]);
    for reported in [
        HARD,
        // Addresses: every letter that needs it, either case, every blank.
        "p%40ss%20w%C3%B6rd%3C%26%22%27%5Cx%2F%F0%9F%98%80",
        "p%40ss+w%c3%b6rd%3c%26%22%27%5cx%2f%f0%9f%98%80",
        "p@ss%20wörd%3C&%22'%5Cx/%F0%9F%98%80",
        // Android's `input text`, quoted for its shell.
        "p@ss%swörd<&\"'\\''\\x/😀",
        // HTML.
        "p@ss wörd&lt;&amp;&quot;&#39;\\x/😀",
        "p@ss&#32;w&#246;rd&#x3c;&amp;&quot;&apos;\\x/&#x1F600;",
        // JSON, with and without escaped letters.
        "p@ss wörd<&\\\"'\\\\x/😀",
        "p@ss w\\u00f6rd\\u003c\\u0026\\\"\\u0027\\\\x\\/\\ud83d\\ude00",
    ] {
        let said = format!("a {reported} b");
        assert_eq!(redactor.redact(&said), "a *** b", "{said}");
    }
    assert_eq!(redactor.redact("p%40ss%20w"), "p%40ss%20w");
}

#[test]
fn a_secret_is_known_in_base64_wherever_it_stands_in_it() {
    let redactor = Redactor::new([HARD.to_owned()]);
    for encoding in [BASE64, BASE64_NOPAD, BASE64URL, BASE64URL_NOPAD] {
        for before in ["", "a", "ab", "user:"] {
            let text = encoding.encode(format!("{before}{HARD} and more").as_bytes());
            let kept = redactor.redact(&text);
            assert!(kept.contains(REDACTED), "{text}: {kept}");
            assert!(kept.len() < text.len() - 20, "{text}: {kept}");
        }
        assert_eq!(redactor.redact(&encoding.encode(HARD.as_bytes())), REDACTED);
    }
}

#[test]
fn a_secret_is_known_in_capitals_and_as_source_code_mails_and_styles_spell_it() {
    let redactor = Redactor::new(["Pä5s-w@rd".to_owned()]);
    for reported in [
        "PÄ5S-W@RD",
        "pä5s-w@rd",
        "p%c3%845S%2dW%40RD",
        // C, Python, JavaScript, Rust, Perl, printf.
        "\\x50\\xc3\\xa4\\x35\\x73\\x2d\\x77\\x40\\x72\\x64",
        "\\x50\\xe4\\x35s-w@rd",
        "P\\303\\2445s-w\\100rd",
        "\\U00000050\\U000000e45s-w@rd",
        "\\u{50}\\u{e4}5s-w@rd",
        "\\x{50}\\x{e4}5s-w@rd",
        // Style sheets.
        "\\50 \\e4 5s-w\\40 rd",
        // Old JavaScript's `escape`.
        "P%u00E45s-w@rd",
        // Mails.
        "P=C3=A45s-w=40rd",
        // HTML by name, and without the `;`.
        "P&#228;5s-w&commat;rd",
        "&#80&#xe4;5s-w@rd",
        // One within another.
        "P%25C3%25A45s-w%2540rd",
        "P\\\\u00e45s-w@rd",
        "P\\\\\\\\u00e45s-w@rd",
        "P\\u0025C3\\u0025A45s-w@rd",
        "P&amp;#228;5s-w&amp;commat;rd",
        "P\\u0026#228;5s-w@rd",
    ] {
        let said = format!("a {reported} b");
        assert_eq!(redactor.redact(&said), "a *** b", "{said}");
    }
    for other in [
        "pä5s-w@r",
        "Pä5s w@rd",
        "P\\303\\2455s-w@rd",
        "\\x51\\xe45s-w@rd",
    ] {
        assert_eq!(redactor.redact(other), other);
    }
}

#[test]
fn a_secret_is_known_as_numbers() {
    let redactor = Redactor::new([HARD.to_owned()]);
    let bytes = HARD.as_bytes();
    let join = |between: &str, one: &dyn Fn(u8) -> String| {
        let all: Vec<String> = bytes.iter().map(|byte| one(*byte)).collect();
        all.join(between)
    };
    #[allow(clippy::cast_possible_wrap)] // As Java shows bytes.
    let java = |byte: u8| (byte as i8).to_string();
    for reported in [
        join("", &|byte| format!("{byte:02x}")),
        join("", &|byte| format!("{byte:02X}")),
        join(":", &|byte| format!("{byte:02X}")),
        join(" ", &|byte| format!("{byte:02x}")),
        join("-", &|byte| format!("{byte:02X}")),
        join(", ", &|byte| format!("0x{byte:02x}")),
        join(",", &|byte| format!("0X{byte:02X}")),
        join("\n", &|byte| format!("{byte:02x}")),
        join(", ", &java),
        join(", ", &|byte| byte.to_string()),
        join(",", &|byte| byte.to_string()),
    ] {
        let said = format!("[{reported}]");
        assert_eq!(redactor.redact(&said), "[***]", "{said}");
    }
    let others = "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18";
    assert_eq!(redactor.redact(others), others);
}

#[test]
fn base64_is_known_over_several_lines_and_in_an_address() {
    let secret = "correct horse battery staple, and then some more words";
    let redactor = Redactor::new([secret.to_owned()]);
    let packed = BASE64.encode(format!("user:{secret}?>").as_bytes());
    for between in ["\n", "\r\n", "\r\n ", "\\n"] {
        let lines: Vec<&str> = (0..packed.len())
            .step_by(16)
            .map(|at| &packed[at..packed.len().min(at + 16)])
            .collect();
        let kept = redactor.redact(&lines.join(between)).into_owned();
        assert!(kept.contains(REDACTED) && kept.len() < 24, "{kept}");
    }
    let in_address = packed
        .replace('+', "%2B")
        .replace('/', "%2F")
        .replace('=', "%3D");
    let kept = redactor.redact(&in_address).into_owned();
    assert!(kept.contains(REDACTED) && kept.len() < 24, "{kept}");
}

#[test]
fn a_spelled_secret_that_was_cut_is_hidden_too() {
    let redactor = Redactor::new(["correct horse battery".to_owned()]);
    for (reported, kept) in [
        ("input text 'correct%shorse%sb…", "input text '***…"),
        ("?q=correct%20horse%2…", "?q=***%2…"),
        ("Y29ycmVjdCBob3…", "***…"),
    ] {
        assert_eq!(redactor.redact(reported), kept);
    }
}

#[test]
fn many_letters_that_may_be_spelled_in_two_ways_take_no_longer() {
    let redactor = Redactor::new(["\\".repeat(200)]);
    assert_eq!(redactor.redact(&"\\".repeat(399)), "***");
    let fewer = format!("{}x", "\\".repeat(199));
    assert_eq!(redactor.redact(&fewer), fewer);
}

#[test]
fn a_stream_hides_what_comes_in_pieces_and_loses_nothing_else() {
    let redactor = Redactor::new([HARD.to_owned(), "hunter2".to_owned()]);
    let packed = BASE64.encode(HARD.as_bytes());
    let said = format!("start {HARD}\nhunter2hunter2 {packed}\nrest hunter é \u{1f600}\n");
    let mut odd = said.clone().into_bytes();
    odd.extend(b"\xff\xfe hunter2");
    for size in [1, 2, 3, 7, 64, 1000] {
        let mut stream = Stream::new(redactor.clone());
        let mut out: Vec<u8> = odd.chunks(size).flat_map(|c| stream.pass(c)).collect();
        out.extend(stream.rest());
        let expected = "start ***\n****** ***\nrest hunter é \u{1f600}\n";
        assert_eq!(
            out,
            [expected.as_bytes(), b"\xff\xfe ***"].concat(),
            "{size}"
        );
    }
    let mut none = Stream::new(Redactor::default());
    let all = [none.pass(b"at once"), none.rest()].concat();
    assert_eq!(all, b"at once");
}
