# Everything a contributor types. `make` alone lists it; ARGS is handed to the tool at the end of the line, for example
# `make test ARGS='--filter VaultUnlockTests'`.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
ARGS ?=
PEERS ?=
PREFIX ?= /usr/local
DESTDIR ?=
PROGRAMS ?= thumbturn
programs := thumbturn $(if $(filter Linux,$(shell uname -s)),thumbturnd)
# The playground's page is served on Linux alone, as ThumbturnHTTP is.
released := $(programs) $(if $(filter Linux,$(shell uname -s)),thumbturn-playground)

# The backtracer outlives a crashed child, keeps its pipes open, and prints the memory behind every register.
export SWIFT_BACKTRACE ?= enable=no

# On a Mac the package has its tests where this is set, and its floor is macOS 15 then.
export THUMBTURN_TESTS ?= 1

# Without debug information a build takes a sixth less; DEBUG=1 has it, for who steps through a test.
lean := $(if $(DEBUG),,-debug-info-format none)

# Builds one at a time: SwiftPM gives its lock away before it has closed its database, and who waited fails on that.
build := $(shell command -v flock >/dev/null && echo flock -o Package.swift) swift build

# Runs the tests that were built in a folder. `swift test` would keep others from building, and from testing, until it ends.
ifeq ($(shell uname -s),Linux)
runTests = $(abspath $(1)/debug/ThumbturnPackageTests.xctest) --testing-library swift-testing
else
runTests = swift test --skip-build --disable-xctest --scratch-path $(1)
endif

# Brings a stack up, takes the names that it prints, and takes it down however the rest of the line ends.
withStack = folder=$$(mktemp -d /tmp/thumbturn.XXXXXX) && chmod 755 "$$folder" && stack=$$folder/stack; \
    trap 'Scripts/$(1)-stack.sh down "$$stack"; Scripts/$(1)-stack.sh check "$$stack"; rm -rf "$$folder"' EXIT; \
    names=$$(Scripts/$(1)-stack.sh up "$$stack") || exit 1; eval "$$names"

.PHONY: help demo release check-release install package test-package test test-times quick lint bench bench-service bench-peers setup check-apple check-android test-apple test-android test-linux test-service test-browser test-react-native check-docs check-api docs wasm test-asan test-tsan test-release-memory test-crash-report fuzz crash model mutants build-asan build-tsan

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: setup ## build, then tour a vault on the simulated device, and an account on two with a real service
	@echo 'demo: builds the programs without optimisation (make release has it): a minute on two cores, the first time'
	@Scripts/release.sh --unoptimised $(programs)
	@[ -e .build/release ] || ln -s unoptimised/release .build/release # until `make release` puts its own there
	@.build/unoptimised/release/thumbturn demo $(ARGS)

release: setup ## build the command, and on Linux the service and the playground, as they are released
	@Scripts/release.sh $(released)

check-release: release ## check what the released programs need of a system, and what they load at their start
	@Scripts/check-release.sh

install: ## put what `make release` built below PREFIX, with pages and completions (PROGRAMS='thumbturn thumbturnd')
	@Scripts/install.sh "$(DESTDIR)" "$(PREFIX)" $(PROGRAMS)

package: release ## make Debian packages, lists of what is linked, and checksums, in out/
	@Scripts/setup.sh --package
	@Scripts/package.sh

test-package: package ## install the packages in a clean Debian without a toolchain, and use them there
	@Scripts/test-package.sh

# What waits for a chip or a peer, or measures a process, runs after the rest, which keeps both cores busy.
apart := 'Thumbturn(Linux|Service|HTTP|Daemon|Account|Transport)Tests'
# What opens a thousand vaults on the main actor has both to itself, and a process: it takes its guarded memory.
alone := 'Thumbturn(Bridge|Host)Tests'

test: setup ## build and run every test
	@$(build) --build-tests $(lean)
	@$(if $(ARGS),$(call runTests,.build) $(ARGS),$(call runTests,.build) --skip $(apart) --skip $(alone) && $(call runTests,.build) --filter $(apart) && $(call runTests,.build) --filter $(alone))

test-times: setup ## run each suite alone, and print the ten that take most of a processor
	@$(build) --build-tests $(lean)
	@Scripts/suite-times.py $(call runTests,.build) $(ARGS)

# Of the manifest's tests these alone are built, in a folder of their own, so that an edit is answered at once.
quick: setup ## after an edit: the tests of rules, cryptography and formats, and the vault's core
	@THUMBTURN_QUICK=1 $(build) --product ThumbturnPackageTests --scratch-path .build/quick --quiet $(lean)
	@THUMBTURN_QUICK=1 $(call runTests,.build/quick) \
	    --filter 'ThumbturnRulesTests|ThumbturnCryptoTests' --filter 'FormatTests|Vault(Creation|Unlock|Session|Wallet)Tests' \
	    --skip 'WalkTests|LedgerModelTests|WaitTests|MemoryTests' $(ARGS)

lint: setup ## check format, imports and the project's own rules
	@swift format lint --strict --recursive --parallel Sources Tests Examples ReactNative/ios Package.swift
	@Scripts/lint.sh --self-test
	@Scripts/lint.sh
	@Scripts/check-programs.sh --self-test
	@Scripts/check-programs.sh
	@Scripts/mutants.sh --self-test
	@Scripts/mutants.sh --check
	@Scripts/privacy.sh
	@Scripts/checklist.sh
	@$(build) --quiet --explicit-target-dependency-import-check error $(lean)

bench: setup ## on Linux: measure the release build, the device on what test-linux runs on, Android's, and the service
	@Scripts/setup.sh --linux
	@Scripts/setup.sh --android
	@Scripts/release.sh $(programs) thumbturn-bench ThumbturnBridge
	@Android/test.sh --bench
	@$(call withStack,linux); \
	    .build/release/thumbturn-bench vault --stack "$$stack" --java .build/android/bench/options $(ARGS)
	@[ -n "$(ARGS)" ] || $(MAKE) --no-print-directory bench-service

bench-service: ## measure the service alone, and time names that nobody has against others (bench runs it too)
	@Scripts/setup.sh --service
	@Scripts/service-peers.sh venv
	@Scripts/release.sh $(programs) thumbturn-bench
	@$(call withStack,service); \
	    names=$$(Scripts/slow-token.sh "$$folder/token") || exit 1; eval "$$names"; \
	    .build/release/thumbturn-bench service --python .build/service-venv/bin/python --postgres "$$POSTGRES" \
	        --signer "$$SIGNER" $(ARGS); \
	    if [ -z "$(ARGS)" ]; then DAEMON=.build/release/thumbturnd Scripts/service-peers.sh run --full timing; fi

bench-peers: setup ## compare the release build with other tools that keep secrets, which it installs from Debian
	@Scripts/setup.sh --peers
	@Scripts/bench-peers.py --self-test
	@Scripts/release.sh thumbturn
	@Scripts/bench-peers.py .build/release/thumbturn $(ARGS)

setup: ## install the system libraries that are missing (the others call it)
	@Scripts/setup.sh

check-apple: setup ## compile the library and the example app for iOS 15 and macOS 12, the command for that, the tests for 15
	@Apple/check.sh

check-android: ## compile rooms, glue, device, example and React Native's module for Android 11, without its SDK, and look up each name of Android's
	@Scripts/setup.sh --android
	@Android/check.sh

test-apple: setup ## run the Apple adapters against stand-ins of Apple's frameworks
	@Apple/test.sh $(ARGS)

test-android: ## run Android's adapter, its C and a vault in a Java machine, on stand-ins (ARGS='--api 34', '--sabotage')
	@Scripts/setup.sh --android
	@Android/test.sh $(ARGS)

test-linux: ## run the Linux device on a software TPM, a real fprintd, and stand-ins of logind and polkit
	@Scripts/setup.sh --linux
	@$(build) --build-tests $(lean)
	@$(call withStack,linux); \
	    $(call runTests,.build) --filter ThumbturnLinuxTests $(ARGS)

# What runs once more with each log on one of two more servers.
ledgers := 'ThumbturnServiceTests.(RestoredLedger|Sequencer|SpreadLedger|Upload|WrittenLedger)Tests'

# On both databases. PEERS='--full' takes a quarter of an hour and repeats what fails once in many times.
test-service: ## run the service on SQLite and a real PostgreSQL, and against clients that nobody here wrote
	@Scripts/setup.sh --service
	@Scripts/service-peers.sh venv
	@$(build) --build-tests $(lean)
	@$(call withStack,service); \
	    $(call runTests,.build) --filter 'Thumbturn(Service|HTTP|Daemon|Account|Transport)Tests' $(ARGS); \
	    [ -n "$(ARGS)" ] || ( names=$$(Scripts/service-stack.sh spread "$$stack"); eval "$$names"; \
	        $(call runTests,.build) --filter $(ledgers) ); \
	    Scripts/service-peers.sh run --stack "$$stack" $(PEERS)

test-browser: setup ## show the playground to a browser: every tour, every error, by keyboard alone
	@Scripts/setup.sh --browser
	@Scripts/release.sh $(released)
	@Scripts/browser.sh run $(ARGS)

# Over the real library: the programs of playground and service, as `make test` or `make release` has built them, or else built now.
playground = $(firstword $(wildcard .build/debug/thumbturn-playground .build/release/thumbturn-playground))

test-react-native: setup ## compile the React Native package, check its types, and run its hooks over the real library
	@Scripts/setup.sh --react-native
	@Scripts/react-native.sh check
	@[ -n "$(playground)" ] || $(build) --product thumbturn-playground $(lean)
	@[ -x "$(dir $(playground))thumbturnd" ] || $(build) --product thumbturnd $(lean)
	@Scripts/react-native.sh run $(ARGS)

check-docs: ## check that every requirement has its code and its test
	@Scripts/check-docs.sh --self-test
	@Scripts/check-docs.sh

docs: setup ## build the documentation; every link, public symbol and sample is checked
	@Scripts/docs.sh --self-test
	@Scripts/docs.sh

check-api: setup ## compare what an app sees with docs/api.txt
	@Scripts/api.sh

wasm: setup ## build the rules as Embedded Swift for WebAssembly
	@Scripts/wasm.sh

# Each sanitizer has a build folder of its own, since in one all but the tests would be built anew at every switch. SANITIZED
# names another: in that of `make test` the tests are not compiled again.
# Scans of memory are left out: a sanitizer keeps what was freed, and maps terabytes of shadow.
# So are those that wait until a command has locked its memory: under a sanitizer `mlock` does nothing.
withoutScans := --skip MemoryTests --skip 'leaves no core' --skip CrashReportTests
# And those that look at how memory is mapped and how many threads start: a sanitizer maps by itself, and has a thread of its own.
withoutScans += --skip HugePagesTests --skip 'status runs on the thread'
# And a host in C, which clang links without the sanitizer that the library then lacks.
withoutScans += --skip CHostTests
# And under the thread sanitizer a process that may write no large file can't start: the sanitizer itself does. It holds signals
# back too, so that Control-Z, which the tests of shells press, stops a command late or never.
withoutLimits := --skip 'a limit on the size of files' --skip ShellTests

asan := $(or $(SANITIZED),.build/asan)
tsan := $(or $(SANITIZED),.build/tsan)
build-asan test-asan: export THUMBTURN_SANITIZER := address
build-tsan test-tsan: export THUMBTURN_SANITIZER := thread

# Where THUMBTURN_QUICK names targets, what their tests load and start is enough: not the service, nor every other program.
buildTests = $(if $(THUMBTURN_QUICK),$(build) --product ThumbturnPackageTests $(lean) --scratch-path $(1) && \
    $(build) --product CrashChild,$(build) --build-tests) $(lean) --scratch-path $(1)

build-asan: setup ## build what test-asan runs, and no more
	@$(call buildTests,$(asan))

build-tsan: setup ## build what test-tsan runs, and no more
	@$(call buildTests,$(tsan))

test-asan: build-asan ## run every test under the address and leak sanitizers
	@LSAN_OPTIONS=suppressions=$(CURDIR)/Scripts/lsan.supp ASAN_OPTIONS=suppressions=$(CURDIR)/Scripts/asan.supp \
	    $(call runTests,$(asan)) $(withoutScans) $(ARGS)

test-release-memory: setup ## look into the memory of an optimised build
	@swift test -c release -Xswiftc -enable-testing --scratch-path .build/release-memory --disable-xctest \
	    --filter MemoryTests $(ARGS)

test-crash-report: setup ## crash the release build where it holds a secret, and scan what it prints and leaves
	@Scripts/release.sh thumbturn
	@$(build) --build-tests --quiet $(lean)
	@THUMBTURN_TEST_COMMAND=$(CURDIR)/.build/release/thumbturn \
	    $(call runTests,.build) --filter CrashReportTests $(ARGS)

# A process of the thread sanitizer sleeps a second when it ends, if it is not told; the tests run a thousand commands.
test-tsan: build-tsan ## run every test under the thread sanitizer
	@TSAN_OPTIONS=atexit_sleep_ms=0 $(call runTests,$(tsan)) $(withoutScans) $(withoutLimits) $(ARGS)

crash: setup ## stop and race every transition everywhere, and Android's store too, and count what is lost
	@Scripts/release.sh Crash
	@.build/release/Crash $(ARGS)
	@[ -n "$(ARGS)" ] || [ "$$(uname -s)" != Linux ] || { Scripts/setup.sh --android; Android/test.sh --stops; }

model: setup ## explore every state of the machines, and plant a mutant for each rule of the ledger's
	@Scripts/release.sh Model
	@.build/release/Model $(ARGS)

mutants: setup ## plant the mistakes of Tests/Workshop/Mutants in a copy of the tree, and expect the tests to notice each
	@[ "$$(uname -s)" != Linux ] || Scripts/setup.sh --service
	@if [ "$$(uname -s)" != Linux ]; then exec Scripts/mutants.sh $(ARGS); fi; \
	    $(call withStack,service); \
	    Scripts/mutants.sh $(ARGS)

fuzz: setup ## run the executable target `Fuzz` over every parser
	@Scripts/release.sh Fuzz
	@.build/release/Fuzz $(ARGS)
