// Bindings for replays, single or in batches, in which an outside agent makes the decisions.
#include "columns.hpp"
#include "decisions/decision_arguments.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace slotwise::bindings {

namespace {

struct OneReplay {
    OneReplay(std::shared_ptr<const DecisionJobs> jobs, const DecisionSetup& given)
        : setup(given), replay(std::move(jobs), given.options) {}
    OneReplay(const DecisionSetup& given, const DecisionReplay& from)
        : setup(given), replay(from) {}
    OneReplay(const OneReplay& other) : setup(other.setup), replay(other.replay) {}

    DecisionSetup setup;
    DecisionReplay replay;
    std::atomic<bool> in_use = false;
};

struct ManyReplays {
    template <class... Arguments>
    explicit ManyReplays(const DecisionSetup& given, Arguments&&... arguments)
        : setup(given), batch(std::forward<Arguments>(arguments)...) {}

    DecisionSetup setup;
    DecisionBatch batch;
    std::atomic<bool> in_use = false;
};

py::ssize_t n_choices(const DecisionSetup& setup, const DecisionReplay& replay) {
    return static_cast<py::ssize_t>(setup.options.decides == Decides::policy
                                        ? replay.jobs().rules().size()
                                        : setup.options.window);
}

// Returns the observation and the mask, each in a new array.
std::pair<py::array, py::array> shown(const OneReplay& self) {
    py::array_t<float> observation(
        static_cast<py::ssize_t>(self.setup.observation.size(self.setup.options.window)));
    py::array_t<std::int8_t> mask(n_choices(self.setup, self.replay));
    observe(self.replay, self.setup.observation,
            {observation.mutable_data(), static_cast<std::size_t>(observation.size())});
    mask_choices(self.replay, {mask.mutable_data(), static_cast<std::size_t>(mask.size())});
    return {std::move(observation), std::move(mask)};
}

// Returns the result of a step: the observation, the reward, whether the episode is over, the mask,
// the time, the number of waiting jobs, and the number of invalid choices so far.
py::tuple stepped(const OneReplay& self, const Totals& before) {
    const double reward = reward_of(self.setup.reward, before, self.replay);
    auto [observation, mask] = shown(self);
    const DecisionState& at = self.replay.state();
    return py::make_tuple(std::move(observation), reward, at.done, std::move(mask), at.now,
                          at.waiting.size(), at.n_masked);
}

// The GIL is kept during a step, because a step takes only about a microsecond.
py::tuple step_one(OneReplay& self, std::int64_t choice) {
    const OneCall call(self.in_use);
    const Totals before = self.replay.totals();
    self.replay.choose(checked_choice(self.replay, choice));
    return stepped(self, before);
}

py::tuple step_by_scores(OneReplay& self, const Column<double>& scores) {
    const OneCall call(self.in_use);
    checked_choice(self.replay, 0);
    if (scores.ndim() != 1 || scores.size() != n_choices(self.setup, self.replay))
        throw std::invalid_argument(
            "there are " + std::to_string(scores.size()) + " scores; pass one for each of the " +
            std::to_string(self.setup.options.window) + " places in the window");
    check_scores(scores.data(), self.replay.window().size());
    const Totals before = self.replay.totals();
    self.replay.score(span_of(scores));
    return stepped(self, before);
}

// Output arrays of a batch of replays: observations, masks, rewards, and flags for finished
// episodes.
struct BatchArrays {
    py::array_t<float, py::array::c_style> observation;
    py::array_t<std::int8_t, py::array::c_style> mask;
    py::array_t<double, py::array::c_style> reward;
    py::array_t<bool, py::array::c_style> done;

    static auto values(auto& array) {
        return std::span(array.mutable_data(), static_cast<std::size_t>(array.size()));
    }
    BatchColumns columns(const ManyReplays& self) {
        const std::size_t n = self.batch.size();
        const auto wide = static_cast<std::size_t>(n_choices(self.setup, self.batch.replay(0)));
        const std::size_t n_values = self.setup.observation.size(self.setup.options.window);
        if (static_cast<std::size_t>(observation.size()) != n * n_values ||
            static_cast<std::size_t>(mask.size()) != n * wide ||
            static_cast<std::size_t>(reward.size()) != n ||
            static_cast<std::size_t>(done.size()) != n)
            throw std::invalid_argument("an array of a batch has the wrong size");
        auto* ends = reinterpret_cast<std::uint8_t*>(done.mutable_data());
        return {values(observation), values(mask), values(reward), {ends, n}};
    }
};

using Flags = py::array_t<bool, py::array::c_style>;

// Returns one choice per replay. The choice is 0 if the replay is skipped or if scores are used.
// Throws std::invalid_argument if a choice or a score is invalid.
std::vector<std::int64_t> checked_actions(const ManyReplays& self,
                                          const Column<std::int64_t>& choices,
                                          const Column<double>& scores, const Flags& skipped) {
    const std::size_t n = self.batch.size();
    const std::size_t window = self.setup.options.window;
    const bool by_score = self.setup.options.decides == Decides::score;
    if (static_cast<std::size_t>(skipped.size()) != n ||
        static_cast<std::size_t>(by_score ? scores.size() : choices.size()) !=
            n * (by_score ? window : 1))
        throw std::invalid_argument(
            "the shape of the actions is not that of the action space for " + std::to_string(n) +
            " environments");
    std::vector<std::int64_t> made(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
        if (skipped.data()[i]) continue;
        const DecisionReplay& replay = self.batch.replay(i);
        made[i] =
            static_cast<std::int64_t>(checked_choice(replay, by_score ? 0 : choices.data()[i]));
        if (by_score) check_scores(scores.data() + i * window, replay.window().size());
    }
    return made;
}

// The GIL is not needed in most of this function, because no other call uses the arrays or the
// replays.
void step_many(ManyReplays& self, const Column<std::int64_t>& choices, const Column<double>& scores,
               const Flags& skipped, BatchArrays& arrays) {
    const OneCall call(self.in_use);
    const BatchColumns out = arrays.columns(self);
    const std::vector<std::int64_t> made = checked_actions(self, choices, scores, skipped);
    const auto* skips = reinterpret_cast<const std::uint8_t*>(skipped.data());
    const std::span<const double> given = span_of(scores);
    const py::gil_scoped_release unlocked;
    self.batch.step(made, given, {skips, self.batch.size()}, out);
}

void check_position(const ManyReplays& self, std::size_t i) {
    if (i < self.batch.size()) return;
    throw std::out_of_range("environment " + std::to_string(i) + " of " +
                            std::to_string(self.batch.size()));
}

void begin_many(ManyReplays& self, std::size_t i, JobId first, JobId last, JobId warm_from,
                BatchArrays& arrays, std::shared_ptr<DecisionJobs> jobs) {
    const OneCall call(self.in_use);
    check_position(self, i);
    if (jobs != nullptr) self.batch.replay(i).use(std::move(jobs));
    begin_episode(self.batch.replay(i), first, last, warm_from);
    self.batch.show(i, arrays.columns(self));
}

template <class Get> py::array of_each(const ManyReplays& self, Get&& get) {
    std::vector<std::int64_t> values;
    for (std::size_t i = 0; i < self.batch.size(); ++i)
        values.push_back(static_cast<std::int64_t>(get(self.batch.replay(i))));
    py::array_t<std::int64_t> found(static_cast<py::ssize_t>(values.size()));
    std::copy(values.begin(), values.end(), found.mutable_data());
    return found;
}

void bind_one(py::module_& module) {
    py::class_<OneReplay>(module, "DecisionReplay")
        .def(py::init<std::shared_ptr<const DecisionJobs>, const DecisionSetup&>(), py::arg("jobs"),
             py::arg("setup"))
        .def("begin",
             [](OneReplay& self, JobId first, JobId last, JobId warm_from) {
                 const OneCall call(self.in_use);
                 begin_episode(self.replay, first, last, warm_from);
                 return stepped(self, self.replay.totals());
             })
        .def("state",
             [](OneReplay& self) {
                 const OneCall call(self.in_use);
                 return state_of(self.replay);
             })
        .def("resume",
             [](OneReplay& self, const py::tuple& state) {
                 const OneCall call(self.in_use);
                 resume_from(self.replay, state);
             })
        .def("step", &step_one)
        .def("step_by_scores", &step_by_scores)
        .def("copy",
             [](OneReplay& self) {
                 const OneCall call(self.in_use);
                 return std::make_unique<OneReplay>(self);
             })
        .def("shown",
             [](OneReplay& self) {
                 const OneCall call(self.in_use);
                 return stepped(self, self.replay.totals());
             })
        .def("queue",
             [](OneReplay& self) {
                 const OneCall call(self.in_use);
                 return queue_columns(self.replay);
             })
        .def("running",
             [](OneReplay& self) {
                 const OneCall call(self.in_use);
                 return running_columns(self.replay);
             })
        .def("totals",
             [](OneReplay& self) {
                 const OneCall call(self.in_use);
                 return totals_of(self.replay);
             })
        .def("starts",
             [](OneReplay& self) {
                 const OneCall call(self.in_use);
                 return starts_of(self.replay);
             })
        .def_property_readonly("done", [](OneReplay& self) { return self.replay.done(); })
        .def_property_readonly("now", [](OneReplay& self) { return self.replay.now(); })
        .def_property_readonly("free", [](OneReplay& self) { return self.replay.free(); })
        .def_property_readonly("n_waiting",
                               [](OneReplay& self) { return self.replay.waiting().size(); })
        .def_property_readonly("n_choices",
                               [](OneReplay& self) { return self.replay.n_choices(); });
}

void bind_many(py::module_& module) {
    py::class_<BatchArrays>(module, "BatchArrays")
        .def(py::init([](py::array_t<float, py::array::c_style> observation,
                         py::array_t<std::int8_t, py::array::c_style> mask,
                         py::array_t<double, py::array::c_style> reward,
                         py::array_t<bool, py::array::c_style> done) {
                 return BatchArrays{std::move(observation), std::move(mask), std::move(reward),
                                    std::move(done)};
             }),
             py::arg("observation").noconvert(), py::arg("mask").noconvert(),
             py::arg("reward").noconvert(), py::arg("done").noconvert());
    py::class_<ManyReplays>(module, "DecisionBatch")
        .def(py::init([](const std::shared_ptr<DecisionJobs>& jobs, const DecisionSetup& setup,
                         std::size_t n, unsigned workers) {
                 return std::make_unique<ManyReplays>(setup, jobs, setup.options, setup.observation,
                                                      setup.reward, n, workers);
             }),
             py::arg("jobs"), py::arg("setup"), py::arg("n"), py::arg("workers"))
        .def("begin", &begin_many, py::arg("i"), py::arg("first"), py::arg("last"),
             py::arg("warm_from"), py::arg("arrays"), py::arg("jobs") = nullptr)
        .def("step", &step_many)
        .def("now",
             [](ManyReplays& self) {
                 return of_each(self, [](const DecisionReplay& replay) { return replay.now(); });
             })
        .def("n_masked",
             [](ManyReplays& self) {
                 return of_each(
                     self, [](const DecisionReplay& replay) { return replay.state().n_masked; });
             })
        .def("n_waiting",
             [](ManyReplays& self) {
                 return of_each(
                     self, [](const DecisionReplay& replay) { return replay.waiting().size(); });
             })
        .def("one",
             [](ManyReplays& self, std::size_t i) {
                 const OneCall call(self.in_use);
                 check_position(self, i);
                 return std::make_unique<OneReplay>(self.setup, self.batch.replay(i));
             })
        .def("put", [](ManyReplays& self, std::size_t i, OneReplay& one, BatchArrays& arrays) {
            const OneCall call(self.in_use);
            const OneCall other(one.in_use);
            check_position(self, i);
            self.batch.replay(i).take(one.replay);
            self.batch.show(i, arrays.columns(self));
        });
}

} // namespace

void bind_decisions(py::module_& module) {
    bind_decision_setup(module);
    py::class_<DecisionJobs, std::shared_ptr<DecisionJobs>>(module, "DecisionJobs")
        .def(py::init([](std::shared_ptr<const JobTable> jobs, ProcCount processors,
                         const std::vector<Policy>& policies) {
                 return std::make_shared<DecisionJobs>(std::move(jobs), processors, policies);
             }),
             py::arg("jobs").none(false), py::arg("processors"), py::arg("policies"))
        .def("fits_machine", [](const DecisionJobs& self,
                                JobId job) { return job < self.size() && self.fits_machine(job); })
        .def("__len__", &DecisionJobs::size);
    bind_one(module);
    bind_many(module);
}

} // namespace slotwise::bindings
