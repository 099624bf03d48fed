export const greeting = name => `hello ${name}`;
