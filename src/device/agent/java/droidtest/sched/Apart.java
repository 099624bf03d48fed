package droidtest.sched;

/** A thread that is no part of the app: it takes no turns. */
public interface Apart {}
