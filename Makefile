# make demo: set up and run the first whole example. make test: lint, types and the fast tests.
# make test-all: what CI runs, everything but the slow tests. make test-slow: these. See docs/testing.md.
# make test-ros: the tests against real ROS 2, in an environment of its own.
# make docs: the site, into site/. make docs VERSION=0.2: beside those of other versions, on the branch `pages`.
# make page: the picture of the page of runs, after an edit of serve/web; it alone needs Node (20 or newer).
# make prompts: after an edit of prompts, their recordings anew, for review.
PYTHON ?= $(shell for p in python3.12 python3.11 python3; do \
	$$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 12))' 2>/dev/null && echo $$p && break; done)
VENV ?= .venv
BIN := $(VENV)/bin
# Processes that type-check and test at once.
JOBS ?= 2
# CPU seconds that all fast tests may take together.
TIME_BUDGET ?= 360
# The packages of this repository: the core, the systems with their files, the optional rooms, weights.
CORE := . asking hearing live memory drawing models programs systems interchange testing editors
PROJECTS := . asking hearing systems interchange models programs memory drawing live voice fake_model testing prove serve editors envs perception forecasting learning ros engine/weights perception/weights forecasting/weights learning/weights
# Real ROS 2, for its tests; the extra `ros` of treec has the first of them alone.
ROS_VENV ?= .venv-ros
ROS := 'ros-jazzy-rclpy[fastrtps]' ros-jazzy-test-msgs ros-jazzy-std-srvs ros-jazzy-sensor-msgs ros-jazzy-lifecycle-msgs ros-jazzy-geometry-msgs cyclonedds
QUIET := --quiet --disable-pip-version-check
# Compiled files make every process that a test starts a second faster.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo test test-all test-ros test-slow lint docs page results prompts bench clean

demo: $(VENV)/.installed
	$(BIN)/treec run mosaic --scenario caesar_salad

test: lint
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal --time-budget $(TIME_BUDGET)

# What fails beside others must pass alone; it is named, and is a defect all the same.
test-all: lint
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal --thorough -m 'not slow' || { test $$? -eq 1 && \
	echo "=== once more, alone: what passes now is FLAKY, and to be mended ===" && \
	$(BIN)/python -m pytest -v --thorough -m 'not slow' --last-failed --last-failed-no-failures none --maxfail 1; }

# ROS 2's wheels begin every Python of their environment twice, to find their libraries: it has its own.
# A test that hangs ends the run after two minutes, with the stacks of all threads.
test-ros: $(ROS_VENV)/.installed
	@test "$$(uname -s)" = Linux || { echo "ROS 2 is on PyPI for Linux alone: not tested"; exit 0; } && \
	ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST $(ROS_VENV)/bin/python -m pytest -m '' -p no:cacheprovider \
		-o faulthandler_timeout=120 -o faulthandler_exit_on_timeout=true tests/ros

test-slow: $(VENV)/.dev
	$(BIN)/python -m pytest --thorough -m slow

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --num-workers $(JOBS) || { test $$? -eq 2 && $(BIN)/mypy; }  # a busy machine's workers start too late
	$(BIN)/treec check

docs: $(VENV)/.dev
	$(BIN)/python docs/make_reference.py
	$(BIN)/python docs/make_house.py
	$(BIN)/python docs/make_planner_picture.py
	$(BIN)/python docs/make_pictures.py
	$(BIN)/python -m docs.make_snapshot_pictures
	$(BIN)/python -m docs.make_page_pictures
ifdef VERSION
	PATH="$(CURDIR)/$(BIN):$$PATH" PYTHONPATH=. $(BIN)/mike deploy --branch pages --update-aliases $(VERSION) latest
	$(BIN)/mike set-default --branch pages latest
else
	PYTHONPATH=. $(BIN)/python -m mkdocs build
endif

page:
	cd serve/web && npm ci --no-audit --no-fund && npm run build

# make results: what was measured, and how old it is. make results NAME="tick stop": measure these anew.
results: $(VENV)/.dev
	$(BIN)/python -m docs.make_results $(NAME)

prompts: $(VENV)/.dev
	-$(BIN)/treec snapshot --prune --record --refresh '*'
	-$(BIN)/treec snapshot --prune --record --refresh '*' --library engine/treec/templates/warehouse
	TREEC_REWRITE=1 $(BIN)/python -m pytest -m '' tests/docs/test_models_page.py tests/docs/test_snapshots_page.py

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "treec needs Python 3.11 or 3.12: none was found. Try: make PYTHON=/path/to/python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python $(wildcard pyproject.toml */pyproject.toml */weights/pyproject.toml) constraints.txt
	$(BIN)/python -m pip install $(QUIET) -c constraints.txt $(addprefix -e ,$(CORE:%=./%))
	@touch $@

# The pip that comes with Python 3.11 takes half a minute longer. Compiling all that is installed takes
# another minute: Python compiles what it imports, and what takes seconds of it is imported here.
$(VENV)/.dev: $(VENV)/bin/python $(wildcard pyproject.toml */pyproject.toml */weights/pyproject.toml) constraints.txt
	$(BIN)/python -m pip install $(QUIET) --no-compile -c constraints.txt --upgrade pip 'setuptools>=80,<81' wheel
	PYTHONWARNINGS=ignore $(BIN)/python .ci/install.py --no-build-isolation -c constraints.txt -e '.[dev]' $(addprefix -e ,$(filter-out ./.,$(PROJECTS:%=./%)))
	@LITELLM_LOCAL_MODEL_COST_MAP=True $(BIN)/python -c 'import litellm' & $(BIN)/python -c 'from transformers import CLIPModel, CLIPTokenizer, OwlViTForObjectDetection'; wait
	@$(BIN)/python .ci/fetch_pose.py
	@touch $(VENV)/.installed $@

$(ROS_VENV)/.installed: $(VENV)/.dev
	$(BIN)/python -m venv --clear --without-pip $(ROS_VENV)
	test "$$(uname -s)" != Linux || $(BIN)/python -m pip --python $(ROS_VENV)/bin/python install $(QUIET) --no-compile -c constraints.txt $(ROS)
	$(BIN)/python -c 'import sys; print("import site; site.addsitedir(%r)" % sys.argv[1])' "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" > $$(echo $(ROS_VENV)/lib/python3.*/site-packages)/treec.pth
	@touch $@

clean:
	rm -rf $(VENV) $(ROS_VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache
