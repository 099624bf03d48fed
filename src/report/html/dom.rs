//! A page in headless Chromium with a script of ours, for tests and benchmarks.

use super::process;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// What a script assigns to `out` in a page that has loaded, in a window of 1280 x 1000 pixels. With `virtual_time`
/// the script may wait: waiting takes no time then. Without it the browser's clock is the real one, and what follows
/// the first `await` of the script is lost.
pub fn result(chromium: &Path, page: &str, script: &str, virtual_time: bool) -> Value {
    // The page's policy allows no script but its own.
    let page = page.replace("http-equiv=\"Content-Security-Policy\"", "name=\"policy\"");
    let added = format!(
        "<script>addEventListener('load', async () => {{ const out = {{}};
        const all = (what) => [...document.querySelectorAll(what)];
        const shown = (what) => all(what).filter((part) => part.checkVisibility()).length;
        try {{ {script} }} catch (error) {{ out.error = String(error); }}
        const pre = document.createElement('pre');
        pre.id = 'result';
        pre.textContent = JSON.stringify(out);
        document.body.append(pre); }});</script></body>"
    );
    let base = tempfile::tempdir().unwrap();
    let file = base.path().join("page.html");
    fs::write(&file, page.replace("</body>", &added)).unwrap();
    let mut command = Command::new(chromium);
    command
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .arg("--window-size=1280,1000")
        .args(virtual_time.then_some("--virtual-time-budget=60000"))
        .arg(format!(
            "--user-data-dir={}",
            base.path().join("user").display()
        ))
        .arg(format!("file://{}", file.display()));
    let output = process::run(&mut command, Duration::from_secs(120)).unwrap();
    let dom = String::from_utf8(output.stdout).unwrap();
    let result = dom.rsplit_once("<pre id=\"result\">").expect("a result").1;
    let result = result.split("</pre>").next().unwrap();
    let result = result.replace("&lt;", "<").replace("&gt;", ">");
    let result: Value = serde_json::from_str(&result.replace("&amp;", "&")).unwrap();
    assert!(result["error"].is_null(), "{result}");
    result
}
