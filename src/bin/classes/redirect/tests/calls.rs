//! What each rule writes in place of a call.

use super::*;

/// What takes the place of a call.
fn redirected(text: &str, calls: Calls) -> Vec<String> {
    let mut class = class_with(|pool| vec![call(pool, text)]);
    apply(&mut class, calls);
    listing(&class)
}

fn assert_redirected(cases: &[(&str, &[&str])]) {
    for (call, expected) in cases {
        assert_eq!(redirected(call, Calls::Confined), *expected, "{call}");
    }
}

fn assert_kept(calls: &[&str]) {
    for call in calls {
        assert_eq!(redirected(call, Calls::Confined), [*call]);
    }
}

#[test]
fn a_twin_takes_the_same_arguments_after_the_object() {
    assert_redirected(&[
        (
            "static java/lang/System.nanoTime()J",
            &["static box/Clock.nanoTime()J"],
        ),
        (
            "static android/os/SystemClock.sleep(J)V",
            &["static box/Clock.sleepOn(J)V"],
        ),
        (
            "virtual java/lang/String.split(Ljava/lang/String;I)[Ljava/lang/String;",
            &[
                "static box/Patterns.split(Ljava/lang/String;Ljava/lang/String;I)[Ljava/lang/String;",
            ],
        ),
        (
            "interface java/nio/file/Path!.getParent()Ljava/nio/file/Path;",
            &["static box/Paths.getParent(Ljava/nio/file/Path;)Ljava/nio/file/Path;"],
        ),
        (
            "virtual java/io/File.list()[Ljava/lang/String;",
            &["static box/Folders.list(Ljava/io/File;)[Ljava/lang/String;"],
        ),
    ]);
    assert_kept(&[
        "special java/io/File.list()[Ljava/lang/String;",
        "static java/lang/Math.abs(I)I",
        "virtual app/Other.exit(I)V",
        "virtual java/lang/System.nanoTime()J",
    ]);
}

#[test]
fn a_method_is_known_by_the_class_that_declares_it() {
    assert_redirected(&[
        (
            "static app/Worker.sleep(J)V",
            &["static box/Clock.sleep(J)V"],
        ),
        (
            "static app/Worker.yield()V",
            &["static droidtest/sched/Hooks.giveWay()V"],
        ),
        (
            "virtual app/Worker.getStackTrace()[Ljava/lang/StackTraceElement;",
            &[
                "virtual app/Worker.getStackTrace()[Ljava/lang/StackTraceElement;",
                "static box/Traces.threadFrames([Ljava/lang/StackTraceElement;)[Ljava/lang/StackTraceElement;",
            ],
        ),
        (
            "virtual app/Failure.printStackTrace(Ljava/io/PrintStream;)V",
            &["static box/Traces.printStackTrace(Ljava/lang/Throwable;Ljava/io/PrintStream;)V"],
        ),
    ]);
    assert_kept(&[
        "virtual app/Failure.printStackTrace()V",
        "static app/Other.sleep(J)V",
    ]);
}

#[test]
fn waits_are_led_to_the_scheduler_with_open_calls_too() {
    let cases = [
        (
            "virtual app/Any.wait(JI)V",
            "static droidtest/sched/Hooks.wait(Ljava/lang/Object;JI)V",
        ),
        (
            "virtual java/lang/Object.notifyAll()V",
            "static droidtest/sched/Hooks.notifyAll(Ljava/lang/Object;)V",
        ),
        (
            "static java/lang/Thread.onSpinWait()V",
            "static droidtest/sched/Hooks.giveWay()V",
        ),
    ];
    for (call, hook) in cases {
        for calls in [Calls::Confined, Calls::Open] {
            assert_eq!(redirected(call, calls), [hook]);
        }
    }
    for kept in [
        "static java/lang/System.nanoTime()J",
        "static app/Worker.yield()V",
    ] {
        assert_eq!(redirected(kept, Calls::Open), [kept]);
    }
    assert_kept(&["static app/Any.wait()V", "virtual app/Any.wait(I)V"]);
}

#[test]
fn channels_to_other_machines_do_not_open() {
    const OPEN: &str = "static box/OfflineChannel.open()Ljava/nio/channels/SocketChannel;";
    assert_redirected(&[
        (
            "virtual java/nio/channels/spi/SelectorProvider.openSocketChannel(Ljava/net/ProtocolFamily;)Ljava/nio/channels/SocketChannel;",
            &["pop2", OPEN],
        ),
        (
            "virtual java/nio/channels/spi/SelectorProvider.openSocketChannel()Ljava/nio/channels/SocketChannel;",
            &["pop", OPEN],
        ),
        (
            "static java/nio/channels/SocketChannel.open(Ljava/net/ProtocolFamily;)Ljava/nio/channels/SocketChannel;",
            &["pop", OPEN],
        ),
        (
            "static java/nio/channels/SocketChannel.open(Ljava/net/SocketAddress;)Ljava/nio/channels/SocketChannel;",
            &[
                "static box/OfflineChannel.open(Ljava/net/SocketAddress;)Ljava/nio/channels/SocketChannel;",
            ],
        ),
        (
            "static java/nio/channels/DatagramChannel.open()Ljava/nio/channels/DatagramChannel;",
            &[
                "static box/Process.noChannel()Ljava/io/IOException;",
                "athrow",
            ],
        ),
        (
            "virtual java/nio/channels/SocketChannel.register(Ljava/nio/channels/Selector;I)Ljava/nio/channels/SelectionKey;",
            &[
                "static box/OfflineChannel.register(Ljava/nio/channels/SelectableChannel;Ljava/nio/channels/Selector;I)Ljava/nio/channels/SelectionKey;",
            ],
        ),
    ]);
    assert_kept(&[
        "static java/nio/channels/FileChannel.open(Ljava/nio/file/Path;[Ljava/nio/file/OpenOption;)Ljava/nio/channels/FileChannel;",
        "static java/nio/channels/Selector.open()Ljava/nio/channels/Selector;",
    ]);
}

#[test]
fn the_clock_and_random_numbers_are_those_of_the_device() {
    assert_redirected(&[
        (
            "special java/util/Date.<init>()V",
            &[
                "static box/Clock.currentTimeMillis()J",
                "special java/util/Date.<init>(J)V",
            ],
        ),
        (
            "special java/util/Random.<init>()V",
            &[
                "static box/Chance.nextSeed()J",
                "special java/util/Random.<init>(J)V",
            ],
        ),
        (
            "static java/util/Collections.shuffle(Ljava/util/List;)V",
            &["static box/Chance.shuffle(Ljava/util/List;)V"],
        ),
        (
            "static java/time/LocalDate.now()Ljava/time/LocalDate;",
            &[
                "static box/Clock.javaClock()Ljava/time/Clock;",
                "static java/time/LocalDate.now(Ljava/time/Clock;)Ljava/time/LocalDate;",
            ],
        ),
        (
            "static java/util/Calendar.getInstance(Ljava/util/Locale;)Ljava/util/Calendar;",
            &[
                "static java/util/Calendar.getInstance(Ljava/util/Locale;)Ljava/util/Calendar;",
                "static box/Clock.now(Ljava/util/Calendar;)Ljava/util/Calendar;",
            ],
        ),
    ]);
    assert_kept(&[
        "special java/util/Date.<init>(J)V",
        "special java/util/GregorianCalendar.<init>()V",
        "static java/util/Collections.shuffle(Ljava/util/List;Ljava/util/Random;)V",
        "static java/time/LocalDate.now(Ljava/time/ZoneId;)Ljava/time/LocalDate;",
    ]);
}

#[test]
fn files_are_those_of_the_device() {
    const USE: &str = "static box/Paths.use(Ljava/io/File;)Ljava/io/File;";
    const USE_NAME: &str = "static box/Paths.useName(Ljava/lang/String;)Ljava/lang/String;";
    let aside = "static box/Paths.putAside(Ljava/lang/Object;)V";
    let back = "static box/Paths.takeBack()Ljava/lang/Object;";
    let open = "static android/database/sqlite/SQLiteDatabase.openDatabase(Ljava/lang/String;La/Factory;La/Handler;I)La/Database;";
    let arrays = "static android/system/Os.open(Ljava/lang/String;II[La/B;)V";
    assert_redirected(&[
        (
            "special java/io/File.<init>(Ljava/lang/String;)V",
            &[
                "static box/Paths.path(Ljava/lang/String;)Ljava/lang/String;",
                "special java/io/File.<init>(Ljava/lang/String;)V",
            ],
        ),
        (
            "special java/io/FileReader.<init>(Ljava/io/File;)V",
            &[USE, "special java/io/FileReader.<init>(Ljava/io/File;)V"],
        ),
        (
            "special java/io/FileWriter.<init>(Ljava/lang/String;Z)V",
            &[
                "swap",
                USE_NAME,
                "swap",
                "special java/io/FileWriter.<init>(Ljava/lang/String;Z)V",
            ],
        ),
        (
            "special java/util/Scanner.<init>(Ljava/io/File;Ljava/lang/String;)V",
            &[
                "swap",
                USE,
                "swap",
                "special java/util/Scanner.<init>(Ljava/io/File;Ljava/lang/String;)V",
            ],
        ),
        (
            arrays,
            &[
                aside,
                "dup2_x1",
                "pop2",
                USE_NAME,
                "dup_x2",
                "pop",
                back,
                "cast [La/B;",
                arrays,
            ],
        ),
        (
            "virtual java/io/File.exists()Z",
            &[USE, "virtual java/io/File.exists()Z"],
        ),
        (
            "virtual java/io/File.renameTo(Ljava/io/File;)Z",
            &[
                USE,
                "swap",
                USE,
                "swap",
                "virtual java/io/File.renameTo(Ljava/io/File;)Z",
            ],
        ),
        (
            "virtual java/io/File.setReadable(Z)Z",
            &["swap", USE, "swap", "virtual java/io/File.setReadable(Z)Z"],
        ),
        (
            "static java/nio/file/Paths.get(Ljava/net/URI;)Ljava/nio/file/Path;",
            &[
                "static java/nio/file/Paths.get(Ljava/net/URI;)Ljava/nio/file/Path;",
                "static box/Paths.use(Ljava/nio/file/Path;)Ljava/nio/file/Path;",
            ],
        ),
    ]);
    assert_kept(&[
        "special java/util/Scanner.<init>(Ljava/lang/String;)V",
        "virtual java/io/File.getName()Ljava/lang/String;",
        "virtual java/io/File.toURI()Ljava/net/URI;",
        "virtual java/io/File.setLastModified(J)Z",
        "virtual java/io/File.setReadable(ZZ)Z",
        // An int third, and a wide value: neither can be moved out of the way.
        open,
        "static android/system/Os.chmod(Ljava/lang/String;J)V",
    ]);
}

#[test]
fn reflection_sees_no_class_of_the_agent() {
    let invoke = "virtual java/lang/reflect/Method.invoke(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;";
    let visible = "static box/Loaders.visible(Ljava/lang/Object;)Ljava/lang/Object;";
    let getter = "virtual java/lang/invoke/MethodHandles$Lookup.findGetter(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)La/H;";
    assert_redirected(&[
        (
            invoke,
            &[
                "dup2_x1",
                "pop2",
                "static box/Loaders.invoked(Ljava/lang/reflect/Method;)Ljava/lang/reflect/Method;",
                "dup_x2",
                "pop",
                invoke,
                visible,
            ],
        ),
        (
            getter,
            &[
                "static box/Loaders.findGetter(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)La/H;",
            ],
        ),
        (
            "special java/net/URLClassLoader.<init>([Ljava/net/URL;)V",
            &[
                "static box/Loaders.places([Ljava/net/URL;)[Ljava/net/URL;",
                "special java/net/URLClassLoader.<init>([Ljava/net/URL;)V",
            ],
        ),
        (
            "virtual app/Any.loader()Ljava/lang/ClassLoader;",
            &[
                "virtual app/Any.loader()Ljava/lang/ClassLoader;",
                "static box/Loaders.visible(Ljava/lang/ClassLoader;)Ljava/lang/ClassLoader;",
            ],
        ),
        (
            "static java/lang/Class.forName(Ljava/lang/String;)Ljava/lang/Class;",
            &[
                "static java/lang/Class.forName(Ljava/lang/String;)Ljava/lang/Class;",
                "static box/Loaders.found(Ljava/lang/Class;)Ljava/lang/Class;",
            ],
        ),
        (
            "virtual java/lang/invoke/MethodHandle.invokeExact(J)Ljava/lang/Object;",
            &[
                "virtual java/lang/invoke/MethodHandle.invokeExact(J)Ljava/lang/Object;",
                visible,
            ],
        ),
    ]);
    assert_kept(&[
        "virtual java/lang/Object.getClass()Ljava/lang/Class;",
        "virtual java/util/List.get(I)Ljava/lang/Object;",
    ]);
}

#[test]
fn shaders_lose_their_word_for_colours() {
    let floats = "virtual android/graphics/RuntimeShader.setFloatUniform(Ljava/lang/String;[F)V";
    assert_redirected(&[
        (
            "special android/graphics/RuntimeShader.<init>(Ljava/lang/String;)V",
            &[
                "static box/Shaders.plain(Ljava/lang/String;)Ljava/lang/String;",
                "special android/graphics/RuntimeShader.<init>(Ljava/lang/String;)V",
            ],
        ),
        (
            "virtual android/graphics/RuntimeShader.setColorUniform(Ljava/lang/String;J)V",
            &["static box/Shaders.parts(J)[F", floats],
        ),
        (
            "virtual android/graphics/RuntimeShader.setColorUniform(Ljava/lang/String;Landroid/graphics/Color;)V",
            &["virtual android/graphics/Color.getComponents()[F", floats],
        ),
    ]);
}

#[test]
fn a_descriptor_that_is_none_changes_nothing_else() {
    for descriptor in [
        "(",
        "(Ljava/lang/String;",
        "(Ljava/lang/String;[",
        "(Ljava/lang/String;L",
    ] {
        let mut class = class_with(|pool| {
            let at = pool.method(
                b"java/io/FileReader",
                b"<init>",
                descriptor.as_bytes(),
                false,
            );
            vec![Insn::Invoke(op::INVOKESPECIAL, at), Insn::Op(op::RETURN)]
        });
        apply(&mut class, Calls::Confined);
        assert_eq!(listing(&class).last().unwrap(), "return");
    }
}
