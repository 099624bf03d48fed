//! The path from its text, by recursive descent.

use super::{ATTRIBUTES, Attribute, How, Predicate, Step, Test};

/// Deepest nesting of `not(` and `(`.
const DEEPEST: usize = 32;

/// What is wrong with a path.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("at character {}: {message}", .at + 1)]
pub struct XPathError {
    /// Where, in characters from 0.
    pub at: usize,
    /// What.
    pub message: String,
}

/// The steps of a path.
pub(super) fn path(text: &str) -> Result<Vec<Step>, XPathError> {
    let mut parser = Parser {
        text: text.chars().collect(),
        at: 0,
        depth: 0,
    };
    let mut steps = Vec::new();
    while parser.at < parser.text.len() {
        if !parser.takes("/") {
            return Err(parser.wrong("a path continues with `/` or `//`"));
        }
        let deep = parser.takes("/");
        steps.push(parser.step(deep)?);
    }
    if steps.is_empty() {
        return Err(parser.wrong("a path begins with `/` or `//`"));
    }
    Ok(steps)
}

struct Parser {
    text: Vec<char>,
    at: usize,
    depth: usize,
}

impl Parser {
    fn step(&mut self, deep: bool) -> Result<Step, XPathError> {
        let class = if self.takes("*") {
            None
        } else {
            let from = self.at;
            let name = self.name(|c| c.is_alphanumeric() || "._$-".contains(c));
            match name.as_str() {
                "" => return Err(self.wrong("expected `*` or a class")),
                "node" => None,
                _ if self.sees("(") || self.sees("::") => {
                    self.at = from;
                    return Err(self.wrong("functions and axes are not supported in a step"));
                }
                _ => Some(name),
            }
        };
        let mut predicates = Vec::new();
        while self.takes("[") {
            predicates.push(self.predicate()?);
            self.need("]")?;
        }
        Ok(Step {
            deep,
            class,
            predicates,
        })
    }

    fn predicate(&mut self) -> Result<Predicate, XPathError> {
        self.space();
        let from = self.at;
        let number = self.name(|c| c.is_ascii_digit());
        if !number.is_empty() {
            return match number.parse() {
                Ok(place @ 1..) => Ok(Predicate::Position(place)),
                _ => {
                    self.at = from;
                    Err(self.wrong("positions are counted from 1"))
                }
            };
        }
        if self.takes("last()") {
            return Ok(Predicate::Last);
        }
        Ok(Predicate::Test(self.either()?))
    }

    fn either(&mut self) -> Result<Test, XPathError> {
        let mut test = self.both()?;
        while self.word("or") {
            test = Test::Or(Box::new(test), Box::new(self.both()?));
        }
        Ok(test)
    }

    fn both(&mut self) -> Result<Test, XPathError> {
        let mut test = self.test()?;
        while self.word("and") {
            test = Test::And(Box::new(test), Box::new(self.test()?));
        }
        Ok(test)
    }

    fn test(&mut self) -> Result<Test, XPathError> {
        self.space();
        for (name, how) in [
            ("contains", How::Contains),
            ("starts-with", How::Starts),
            ("ends-with", How::Ends),
        ] {
            if self.word(name) {
                self.need("(")?;
                let attribute = self.attribute()?;
                self.need(",")?;
                let text = self.literal()?;
                self.need(")")?;
                return Ok(Test::Is(attribute, how, text));
            }
        }
        let not = self.word("not");
        if not || self.sees("(") {
            self.need("(")?;
            self.depth += 1;
            if self.depth > DEEPEST {
                return Err(self.wrong("this is nested too deeply"));
            }
            let inner = self.either()?;
            self.need(")")?;
            self.depth -= 1;
            return Ok(if not {
                Test::Not(Box::new(inner))
            } else {
                inner
            });
        }
        let attribute = self.attribute()?;
        self.space();
        let how = if self.takes("!=") {
            How::Other
        } else if self.takes("=") {
            How::Same
        } else {
            return Ok(Test::Has(attribute));
        };
        let text = self.literal()?;
        if let (Attribute::Flag(_), false) = (attribute, ["true", "false"].contains(&&*text)) {
            return Err(self.wrong("this attribute is 'true' or 'false'"));
        }
        Ok(Test::Is(attribute, how, text))
    }

    fn attribute(&mut self) -> Result<Attribute, XPathError> {
        self.space();
        if !self.takes("@") {
            return Err(self.wrong(
                "expected an attribute such as @text, or contains(), starts-with(), ends-with(), not()",
            ));
        }
        let from = self.at;
        let name = self.name(|c| c.is_alphanumeric() || c == '-' || c == '_');
        let known = ATTRIBUTES.iter().find(|(known, _)| *known == name);
        known.map(|(_, attribute)| *attribute).ok_or_else(|| {
            self.at = from;
            let all: Vec<_> = ATTRIBUTES.iter().map(|(name, _)| *name).collect();
            self.wrong(&format!(
                "there is no attribute `{name}`; there are {}",
                all.join(", ")
            ))
        })
    }

    fn literal(&mut self) -> Result<String, XPathError> {
        self.space();
        let Some(quote) = self
            .text
            .get(self.at)
            .copied()
            .filter(|c| "'\"".contains(*c))
        else {
            return Err(self.wrong("expected a text in quotes"));
        };
        let from = self.at + 1;
        let length = self.text[from..].iter().position(|c| *c == quote);
        let Some(length) = length else {
            return Err(self.wrong("this quote is not closed"));
        };
        self.at = from + length + 1;
        Ok(self.text[from..from + length].iter().collect())
    }

    fn name(&mut self, fits: impl Fn(char) -> bool) -> String {
        let rest = &self.text[self.at..];
        let name: String = rest.iter().copied().take_while(|c| fits(*c)).collect();
        self.at += name.chars().count();
        name
    }

    fn space(&mut self) {
        self.name(char::is_whitespace);
    }

    fn sees(&self, mark: &str) -> bool {
        let rest = &self.text[self.at..];
        rest.len() >= mark.len() && mark.chars().zip(rest).all(|(a, b)| a == *b)
    }

    fn takes(&mut self, mark: &str) -> bool {
        let there = self.sees(mark);
        if there {
            self.at += mark.chars().count();
        }
        there
    }

    /// A word of the language, with nothing of a name behind it.
    fn word(&mut self, word: &str) -> bool {
        let before = self.at;
        self.space();
        if self.takes(word) {
            let next = self.text.get(self.at);
            if next.is_none_or(|c| !c.is_alphanumeric() && *c != '-') {
                return true;
            }
        }
        self.at = before;
        false
    }

    fn need(&mut self, mark: &str) -> Result<(), XPathError> {
        self.space();
        if self.takes(mark) {
            Ok(())
        } else {
            Err(self.wrong(&format!("`{mark}` is missing")))
        }
    }

    fn wrong(&self, message: &str) -> XPathError {
        XPathError {
            at: self.at,
            message: message.to_owned(),
        }
    }
}
