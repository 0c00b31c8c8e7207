#pragma once

// Starts Java's machine in this process, and loads what an app on a phone loads: the glue, linked here.
//   library     libjvm.so
//   class_path  the shipped classes, the stand-ins, and org.json
//   libraries   the folder that System.loadLibrary looks through
// Returns 0, or where it failed.
int machine_start(const char *library, const char *class_path, const char *libraries);

// Calls Harness.call(command, argument). The answer is copied to `answer`, of at most `capacity` bytes, with a final NUL.
// Returns 0, or 1 if it threw, and then the answer is what.
int machine_call(const char *command, const char *argument, char *answer, int capacity);
