//! Host names with letters beyond ASCII, as clients look them up: `xn--` and the letters in Punycode (RFC 3492).

use percent_encoding::percent_decode_str;

/// Bytes of a part of a host name at most.
const LABEL: usize = 63;
/// Dots that East Asian keyboards write.
const DOTS: [char; 3] = ['\u{3002}', '\u{ff0e}', '\u{ff61}'];

/// The name in ASCII and small letters; `None`: it is no host name. An archive may have it escaped, or in Punycode.
pub fn to_ascii(host: &str) -> Option<String> {
    if host.is_ascii() && !host.contains('%') {
        return Some(host.to_ascii_lowercase());
    }
    let host = percent_decode_str(host).decode_utf8().ok()?;
    let host = host.to_lowercase().replace(DOTS, ".");
    let labels = host.split('.').map(|label| {
        let ascii = match label.is_ascii() {
            true => label.to_owned(),
            false => format!("xn--{}", punycode(label)?),
        };
        (ascii.len() <= LABEL).then_some(ascii)
    });
    Some(labels.collect::<Option<Vec<_>>>()?.join("."))
}

// RFC 3492, section 5.
const BASE: u32 = 36;
const T_MIN: u32 = 1;
const T_MAX: u32 = 26;
const SKEW: u32 = 38;
const DAMP: u32 = 700;
const FIRST_BIAS: u32 = 72;
const FIRST: u32 = 0x80;

/// RFC 3492, section 6.3; `None` where its numbers are too large.
fn punycode(label: &str) -> Option<String> {
    let letters: Vec<u32> = label.chars().map(u32::from).collect();
    let mut out: String = label.chars().filter(char::is_ascii).collect();
    let basic = u32::try_from(out.len()).ok()?;
    if basic > 0 {
        out.push('-');
    }
    let (mut next, mut delta, mut bias, mut done) = (FIRST, 0_u32, FIRST_BIAS, basic);
    while (done as usize) < letters.len() {
        let smallest = letters.iter().copied().filter(|c| *c >= next).min()?;
        delta = delta.checked_add((smallest - next).checked_mul(done + 1)?)?;
        next = smallest;
        for &letter in &letters {
            if letter < next {
                delta = delta.checked_add(1)?;
            }
            if letter == next {
                out.extend(digits(delta, bias));
                bias = adapted(delta, done + 1, done == basic);
                delta = 0;
                done += 1;
            }
        }
        delta = delta.checked_add(1)?;
        next += 1;
    }
    Some(out)
}

fn digits(mut value: u32, bias: u32) -> Vec<char> {
    let mut out = Vec::new();
    let mut k = BASE;
    loop {
        let t = k.saturating_sub(bias).clamp(T_MIN, T_MAX);
        if value < t {
            break;
        }
        out.push(digit(t + (value - t) % (BASE - t)));
        value = (value - t) / (BASE - t);
        k += BASE;
    }
    out.push(digit(value));
    out
}

/// `a` to `z`, then `0` to `9`.
fn digit(value: u32) -> char {
    std::char::from_digit((value + 10) % BASE, BASE).unwrap_or('a')
}

fn adapted(delta: u32, count: u32, first: bool) -> u32 {
    let mut delta = if first { delta / DAMP } else { delta / 2 };
    delta += delta / count;
    let mut k = 0;
    while delta > (BASE - T_MIN) * T_MAX / 2 {
        delta /= BASE - T_MIN;
        k += BASE;
    }
    k + (BASE - T_MIN + 1) * delta / (delta + SKEW)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_spelled_as_clients_look_them_up() {
        for (host, ascii) in [
            ("API.Example.org", "api.example.org"),
            ("bücher.example", "xn--bcher-kva.example"),
            ("BÜCHER.example", "xn--bcher-kva.example"),
            ("b%C3%BCcher.example", "xn--bcher-kva.example"),
            ("xn--bcher-kva.example", "xn--bcher-kva.example"),
            ("münchen.de", "xn--mnchen-3ya.de"),
            ("例え.テスト", "xn--r8jz45g.xn--zckzah"),
            ("почта.рф", "xn--80a1acny.xn--p1ai"),
            ("пример。испытание", "xn--e1afmkfd.xn--80akhbyknj4f"),
            ("a.é.b", "a.xn--9ca.b"),
            // RFC 3492, section 7.1 (B).
            ("他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"),
        ] {
            assert_eq!(to_ascii(host).as_deref(), Some(ascii), "{host}");
        }
        assert_eq!(to_ascii("%ff.example"), None);
        assert_eq!(to_ascii(&"ü".repeat(200)), None);
    }
}
