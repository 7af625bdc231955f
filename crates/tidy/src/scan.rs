//! What a Rust file contains: functions, modules, and marks of unfinished work.
//!
//! Items are found in the syntax tree; functions inside macro calls, and marks anywhere, in the tokens.
//! Strings and comments cannot fool either.

use std::error::Error;

use proc_macro2::{Delimiter, Ident, LexError, Span, TokenStream, TokenTree};
use syn::{
    Attribute, Block, ImplItemFn, ItemFn, ItemMod, Macro, Meta, Signature, TraitItemFn,
    spanned::Spanned,
    visit::{self, Visit},
};

/// What was found in one file.
#[derive(Debug, Default)]
pub struct Scan {
    /// Every function with a body.
    pub functions: Vec<Function>,
    /// Every `mod`, with a body or without.
    pub modules: Vec<Mark>,
    /// `#[ignore]`, and macros that stand for code still to be written.
    pub unfinished: Vec<Mark>,
    /// Lines inside modules that are compiled only for tests.
    pub test_lines: usize,
}

/// A function with a body.
#[derive(Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The line of its signature.
    pub line: usize,
    /// From its signature to its last brace.
    pub lines: usize,
    /// It stands in a module that is compiled only for tests.
    pub in_tests: bool,
}

/// A name at a line.
#[derive(Debug)]
pub struct Mark {
    /// The name.
    pub name: String,
    /// The line.
    pub line: usize,
}

/// Scans one file. The error is the parser's, with its line.
pub fn scan(text: &str) -> Result<Scan, String> {
    let tokens: TokenStream = text.parse().map_err(|error: LexError| at_line(&error, error.span()))?;
    let file: syn::File = syn::parse2(tokens.clone()).map_err(|error| at_line(&error, error.span()))?;
    let mut walk = Walk::default();
    walk.visit_file(&file);
    unfinished(tokens, &mut walk.found.unfinished);
    Ok(walk.found)
}

fn at_line(error: &dyn Error, span: Span) -> String {
    format!("{error}, line {}", span.start().line)
}

#[derive(Default)]
struct Walk {
    found: Scan,
    test_depth: usize,
}

impl Walk {
    fn function(&mut self, signature: &Signature, body: &Block) {
        self.push(&signature.ident, signature.span(), body.brace_token.span.close());
    }

    fn push(&mut self, name: &Ident, from: Span, to: Span) {
        let line = from.start().line;
        self.found.functions.push(Function {
            name: name.to_string(),
            line,
            lines: to.end().line + 1 - line,
            in_tests: self.test_depth > 0,
        });
    }

    /// Functions written inside a macro call, which the syntax tree does not know.
    fn functions_in(&mut self, tokens: TokenStream) {
        let mut open: Option<(Ident, Span)> = None;
        let mut before: Option<Span> = None;
        for token in tokens {
            match &token {
                TokenTree::Ident(name) => match before.take() {
                    Some(keyword) => open = Some((name.clone(), keyword)),
                    None if name == "fn" => before = Some(name.span()),
                    None => {}
                },
                TokenTree::Punct(mark) if mark.as_char() == ';' => open = None,
                TokenTree::Group(group) => {
                    before = None;
                    if group.delimiter() == Delimiter::Brace
                        && let Some((name, from)) = open.take()
                    {
                        self.push(&name, from, group.span_close());
                    }
                    self.functions_in(group.stream());
                }
                _ => before = None,
            }
        }
    }
}

impl<'ast> Visit<'ast> for Walk {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        let line = module.ident.span().start().line;
        self.found.modules.push(Mark { name: module.ident.to_string(), line });
        let for_tests = module.attrs.iter().any(is_cfg_test);
        if for_tests && self.test_depth == 0 {
            let span = module.span();
            self.found.test_lines += span.end().line + 1 - span.start().line;
        }
        self.test_depth += usize::from(for_tests);
        visit::visit_item_mod(self, module);
        self.test_depth -= usize::from(for_tests);
    }

    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        self.function(&function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast ImplItemFn) {
        self.function(&function.sig, &function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast TraitItemFn) {
        if let Some(body) = &function.default {
            self.function(&function.sig, body);
        }
        visit::visit_trait_item_fn(self, function);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        self.functions_in(call.tokens.clone());
    }
}

/// `#[cfg(test)]` and `#[cfg(all(test, …))]`, but not `#[cfg(not(test))]`.
fn is_cfg_test(attribute: &Attribute) -> bool {
    let Meta::List(list) = &attribute.meta else { return false };
    let condition: String = list.tokens.to_string().split_whitespace().collect();
    list.path.is_ident("cfg") && (condition == "test" || condition.starts_with("all(test,"))
}

/// Finds `#[ignore]` in all its forms, and calls of the macros that stand for missing code.
fn unfinished(tokens: TokenStream, found: &mut Vec<Mark>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match (token, tokens.get(at + 1), tokens.get(at + 2)) {
            (TokenTree::Ident(name), Some(TokenTree::Punct(bang)), Some(TokenTree::Group(_)))
                if bang.as_char() == '!' && (name == "todo" || name == "unimplemented") =>
            {
                found.push(Mark { name: format!("{name}!"), line: name.span().start().line });
            }
            (TokenTree::Punct(hash), Some(TokenTree::Group(group)), _)
                if hash.as_char() == '#' && ignores(&group.stream()) =>
            {
                found.push(Mark { name: "#[ignore]".into(), line: group.span().start().line });
            }
            _ => {}
        }
        if let TokenTree::Group(group) = token {
            unfinished(group.stream(), found);
        }
    }
}

/// `ignore`, `ignore = "…"`, and `cfg_attr(…, ignore)`.
fn ignores(attribute: &TokenStream) -> bool {
    let mut tokens = attribute.clone().into_iter();
    match (tokens.next(), tokens.next()) {
        (Some(TokenTree::Ident(name)), None | Some(TokenTree::Punct(_))) => name == "ignore",
        (Some(TokenTree::Ident(name)), Some(TokenTree::Group(group))) if name == "cfg_attr" => group
            .stream()
            .into_iter()
            .any(|token| matches!(token, TokenTree::Ident(name) if name == "ignore")),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn functions(text: &str) -> Vec<(String, usize, usize)> {
        scan(text).unwrap().functions.into_iter().map(|f| (f.name, f.line, f.lines)).collect()
    }

    #[test]
    fn braces_in_strings_chars_and_comments_do_not_count() {
        let text = "fn a() {\n    let _ = (\"}\", r#\"}\"}\"#, '}', b'{'); // }\n    /* } /* } */ */\n}\nfn b() {}\n";
        assert_eq!(functions(text), [("a".into(), 1, 4), ("b".into(), 5, 1)]);
    }

    #[test]
    fn attributes_and_docs_do_not_count_but_long_signatures_do() {
        let text = "/// Doc.\n#[must_use]\nfn long<'a>(\n    x: &'a str,\n) -> &'a str {\n    x\n}\n";
        assert_eq!(functions(text), [("long".into(), 3, 5)]);
    }

    #[test]
    fn methods_nested_functions_and_macro_bodies_are_seen() {
        let text = "impl A { fn m() { fn inner() {} } }\ntrait T { fn d() {} fn none(); }\n\
                    proptest! { fn p(x in 0..3) { let f: fn(u8) = g; } }\n";
        let names: Vec<String> = functions(text).into_iter().map(|(name, ..)| name).collect();
        assert_eq!(names, ["m", "inner", "d", "p"]);
    }

    #[test]
    fn lines_of_test_modules_are_counted_once() {
        let text = "#[cfg(test)]\nmod tests {\n    #[cfg(test)]\n    mod deep {}\n}\n#[cfg(not(test))]\nmod real {}\n";
        assert_eq!(scan(text).unwrap().test_lines, 5);
    }

    #[test]
    fn unfinished_work_is_found_and_words_in_strings_are_not() {
        let text = "#[test]\n#[ignore = \"slow\"]\nfn a() { todo!() }\n#[cfg_attr(miri, ignore)]\nfn b() { x! { unimplemented!(\"y\") } }\n\
                    // todo!()\nfn c() { let _ = (\"todo!() #[ignore]\", todo != 1); }\n";
        let found: Vec<(String, usize)> =
            scan(text).unwrap().unfinished.into_iter().map(|m| (m.name, m.line)).collect();
        let expected = [("#[ignore]", 2), ("todo!", 3), ("#[ignore]", 4), ("unimplemented!", 5)];
        assert_eq!(found, expected.map(|(name, line)| (name.to_owned(), line)));
    }

    #[test]
    fn what_is_not_rust_is_an_error_with_its_line() {
        let error = scan("fn a() {}\nfn ( {}\n").unwrap_err();
        assert!(error.contains("line 2"), "{error}");
    }
}
