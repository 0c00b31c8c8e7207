#!/bin/sh
# Prints Package.swift's strict settings as compiler flags, for the checks that call the compiler without SwiftPM.
set -eu
manifest=$(dirname "$0")/../Package.swift
grep -q '\.strictMemorySafety()' "$manifest" && grep -q '\.treatAllWarnings(as: \.error)' "$manifest"
echo -swift-version 6 -strict-memory-safety -warnings-as-errors -package-name thumbturn
sed -n 's/.*enableUpcomingFeature("\([A-Za-z]*\)").*/-enable-upcoming-feature \1/p' "$manifest"
