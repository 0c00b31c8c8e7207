#pragma once

// Starts Java's machine in this process, in which the glue then finds the bridge.
//   library     libjvm.so
//   class_path  the shipped classes, the stand-ins, and org.json
//   libraries   the folder in which System.loadLibrary finds the glue
// Returns 0, or where it failed.
int machine_start(const char *library, const char *class_path, const char *libraries);

// Calls Harness.call(command, argument). The answer is copied to `answer`, of at most `capacity` bytes, with a final NUL.
// Returns 0, or 1 if it threw, and then the answer is what.
int machine_call(const char *command, const char *argument, char *answer, int capacity);
