//! Programs of `RuntimeShader` in a form that the device's graphics can compile.
//!
//! Sees the constructor that takes a program, which loses its word for colours, and `setColorUniform`, which therefore
//! becomes `setFloatUniform` with four numbers.

use super::call::{Call, Steps};

const SHADERS: &[u8] = b"Shaders";
const SHADER: &[u8] = b"android/graphics/RuntimeShader";

pub fn redirect(call: &Call<'_>, to: &mut Steps<'_>) -> bool {
    if call.constructs(SHADER) && call.takes(b"(Ljava/lang/String;)") {
        to.boxed(SHADERS, b"plain", b"(Ljava/lang/String;)Ljava/lang/String;");
        to.original();
    } else if call.is(SHADER, b"setColorUniform") {
        let color = call.descriptor.iter().position(|byte| *byte == b';');
        match color.and_then(|end| call.descriptor.get(end + 1)) {
            Some(b'L') => to.invoke_virtual(b"android/graphics/Color", b"getComponents", b"()[F"),
            Some(&number) => {
                to.boxed(SHADERS, b"parts", &[b"(", &[number][..], b")[F"].concat());
            }
            None => return false,
        }
        to.invoke_virtual(SHADER, b"setFloatUniform", b"(Ljava/lang/String;[F)V");
    } else {
        return false;
    }
    true
}
