# The front door. `make` alone says what there is.
#
#   make run                                       a first report, from QEMU
#   make run ARGS="-i 250 -l 20000 -h 200 -q"      options of `latency`
#   make run AUTORUN="info; latency -l 1000; exit" a whole list of commands
#   make run IMAGE=takt-four-cores ARGS="-S -l 10000 -h 400 -q"  a measuring task on each core
#   make run ICOUNT=4 CORES=1                      count instructions instead of time
#   make run EVENT_RING=1 AUTORUN="trace; exit"    an image that records what happens
#   make run EXECUTION_TIME=1 AUTORUN="info; exit" an image that accounts who had the core for how long

SHELL := /bin/bash
DEVICE_DIRECTORY := target/aarch64-unknown-none-softfloat/release
APP := $(DEVICE_DIRECTORY)/takt-app
TAKT := target/debug/takt

ARGS ?= -i 1000 -l 10000 -h 100 -q
AUTORUN ?= latency $(ARGS); exit
ICOUNT ?=
# What `run` and `image` take: takt-app, the shipped image with all tasks on core 0, or takt-four-cores. All else is about the former.
IMAGE ?= takt-app
CORES ?= $(if $(ICOUNT),$(if $(filter takt-app,$(IMAGE)),1,4),4)
# An image that records events or accounts execution times takes longer on every path: it is for `run` and `image`, and holds
# no budget in `bench`.
EVENT_RING ?=
EXECUTION_TIME ?=
FEATURES := $(if $(EVENT_RING),--features event-ring) $(if $(EXECUTION_TIME),--features execution-time)
# Boot words: the list of commands, and what the report has to say about how QEMU counts.
WORDS := autorun="$(AUTORUN)"$(if $(ICOUNT), icount=$(ICOUNT))

.DEFAULT_GOAL := help
.PHONY: help setup host device run console image bench scaling device-paths service-paths sweep masked soak stress test test-host test-device lint doc clean

help:
	@echo "make run     boot takt in QEMU and print a latency report  (ARGS=, AUTORUN=, ICOUNT=, CORES=, IMAGE=takt-four-cores, EVENT_RING=1, EXECUTION_TIME=1)"
	@echo "make console the same, and commands are typed; Ctrl-] leaves  (ICOUNT=, CORES=, IMAGE=, EVENT_RING=1, EXECUTION_TIME=1)"
	@echo "make test    all tests, on the PC and in QEMU"
	@echo "make image   kernel8.img for a Raspberry Pi 4  (IMAGE=takt-four-cores, EVENT_RING=1, EXECUTION_TIME=1)"
	@echo "make bench   instruction counts against budgets.toml, and what a byte, an edge and each service take  (FORMAT=csv, LISTING=1)"
	@echo "make scaling what a release takes with 2, 8, 32 and 63 tasks  (FORMAT=csv)"
	@echo "make soak    5,000,000 releases, which have to be within 2 us each  (RELEASES=n)"
	@echo "make stress  four cores that send one another all that crosses, for two minutes  (SECONDS=n)"
	@echo "make sweep   how long a handler and a woken task wait at worst, by firing at every instruction  (FORMAT=csv, LISTING=PATH)"
	@echo "make masked  how long interrupts can stay masked, by walking the image's instructions  (FORMAT=csv, LISTING=ADDRESS)"
	@echo "make lint    formatting, clippy for PC and device, the rules of the house"
	@echo "make host    the host tool alone, $(TAKT)"
	@echo "make doc     the documentation of the crates"
	@echo "make clean   remove what was built"

setup:
	@scripts/setup

host:
	cargo build -p takt-host

device: setup
	scripts/device-cargo build --release -p takt-app $(FEATURES)

run: device host
	$(TAKT) run $(if $(ICOUNT),--icount $(ICOUNT)) --cores $(CORES) --append '$(WORDS)' $(DEVICE_DIRECTORY)/$(IMAGE)

# Ctrl-] leaves. The least that has the image wait for commands at once.
console: device host
	$(TAKT) run --console $(if $(ICOUNT),--icount $(ICOUNT)) --cores $(CORES) --append 'autorun="version; help"$(if $(ICOUNT), icount=$(ICOUNT))' $(DEVICE_DIRECTORY)/$(IMAGE)

image: host
	@scripts/setup device
	scripts/device-cargo build --release -p takt-app $(FEATURES)
	$(TAKT) image $(DEVICE_DIRECTORY)/$(IMAGE) -o kernel8.img

bench: device host
	$(TAKT) bench $(APP) --budgets budgets.toml --compiler "$$(scripts/device-cargo compiler)" $(if $(FORMAT),--format $(FORMAT)) $(if $(LISTING),--listing)
	@$(MAKE) --no-print-directory device-paths service-paths EVENT_RING= EXECUTION_TIME=

sweep: setup host
	scripts/device-cargo build --release -p takt-tests --bin sweep --bin sweep-kernel
	$(TAKT) sweep $(DEVICE_DIRECTORY)/sweep $(DEVICE_DIRECTORY)/sweep-kernel --budgets budgets.toml $(if $(FORMAT),--format $(FORMAT)) $(if $(LISTING),--listing $(LISTING))

# In QEMU with a thread for each core; the last line says how much was sent.
stress: setup host
	scripts/device-cargo build --release -p takt-tests --bin stress
	$(TAKT) run --cores 4 --timeout $$(( $(or $(SECONDS),120) + 60 )) --append seconds=$(or $(SECONDS),120) $(DEVICE_DIRECTORY)/stress

# Without end in sight: exit status 1 where a sample is late, a release is skipped or the clocks drift. OSADL's count is 50,000,000.
soak: device host
	$(TAKT) run --icount 4 --cores 1 --append 'icount=4 autorun="latency -i 250 -l $(or $(RELEASES),5000000) -h 120 -N -q -P --stage handler,task --max-us 2; exit"' $(APP)

masked: device host
	$(TAKT) masked $(APP) --budgets budgets.toml $(if $(FORMAT),--format $(FORMAT)) $(if $(LISTING),--listing $(LISTING))

# The programs print the lines, here is what the fields are called; tests/scaling/src/lib.rs says what they mean.
SCALING_FIELDS := tasks,apart-min,apart-max,out-min,out-max,once-min,once-max,further_x10,wait-min,wait-max
scaling: device host
	scripts/device-cargo build --release -p takt-scaling
	@set -o pipefail; { echo $(SCALING_FIELDS) && for tasks in 2 8 32 63; do \
	$(TAKT) run --icount 4 --cores 1 --timeout 300 $(DEVICE_DIRECTORY)/scaling-$$tasks | grep '^[0-9]' || exit 1; done; } \
	| awk -F, '{ if ("$(FORMAT)" == "csv") print; else { for (i = 1; i <= NF; i++) printf "%12s", $$i; print "" } }'

# The dots are the bytes: QEMU sends what the UART sends to itself.
device-paths: setup host
	scripts/device-cargo build --release -p takt-tests --bin serial-latency --bin pin-latency
	@echo "# through a device, in ticks: name,min,max"
	@set -o pipefail; $(TAKT) run --icount 4 --cores 1 --timeout 300 $(DEVICE_DIRECTORY)/serial-latency | grep '^serial-'
	@set -o pipefail; $(TAKT) run --icount 4 --cores 1 --timeout 300 --wire-pin 17 --wire-pin 30 \
	$(DEVICE_DIRECTORY)/pin-latency | grep '^pin-'

# What semaphores, mutexes, messages and the other services take.
service-paths: setup host
	scripts/device-cargo build --release -p takt-tests --bin service-paths --bin message-paths --bin uncontended-paths --bin remote-paths
	@echo "# services, in instructions between two reads of the counter: name,min,max"
	@set -o pipefail; for program in service-paths message-paths uncontended-paths; do \
	$(TAKT) run --icount 4 --cores 1 --timeout 300 $(DEVICE_DIRECTORY)/$$program | grep '^service-' || exit 1; done
	@echo "# to another core, in the same way: the sender's call, and from the receiver's vector to the task"
	@set -o pipefail; $(TAKT) run --icount 4 --cores 2 --timeout 300 $(DEVICE_DIRECTORY)/remote-paths | grep '^remote-'

test: setup
	scripts/device-cargo build --release -p takt-app -p takt-examples -p takt-tests
	scripts/device-cargo build --release -p takt-event-ring
	scripts/device-cargo build --release -p takt-execution-time
	$(MAKE) --no-print-directory bench EVENT_RING= EXECUTION_TIME=
	scripts/device-cargo test --doc --release -p takt
	cargo test

lint:
	@scripts/setup device
	cargo fmt --all --check
	cargo clippy --all-targets -- -D warnings
	scripts/device-cargo clippy --release -p takt-rpi4 -p takt -p takt-log -p takt-measure -p takt-app -p takt-examples -p takt-tests -p takt-scaling
	scripts/device-cargo clippy --release -p takt-event-ring
	scripts/device-cargo clippy --release -p takt-execution-time
	cargo run -q -p takt-host -- house

doc:
	cargo doc --no-deps
	scripts/device-cargo doc --no-deps --release -p takt

clean:
	cargo clean
	rm -f kernel8.img
