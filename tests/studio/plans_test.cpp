// SPDX-License-Identifier: Apache-2.0
#include "studio/plans.h"

#include "build/file/npy.h"
#include "test_studio.h"

namespace limber::studio {
namespace {

std::uintmax_t bytes_in(const std::filesystem::path& folder) {
    std::uintmax_t out = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        out += entry.file_size();
    return out;
}

TEST(Plans, LongSelectionsGoThroughFilesThatAreNoLongerThanTheyAre) {
    const test::TemporaryFolder folder;
    Store store(folder.path(), "1");
    // Ranges of ten million ids, nine to a selection that is too long for an argument.
    std::string select = "#";
    while (select.size() <= 8192)
        select += "0-9999999,";
    BuildRequest request;
    request.sample = "bar";
    for (int i = 0; i < 8; ++i)
        request.fix.push_back(select + std::to_string(i));
    const Plan plan = plan_build(store, request);
    std::filesystem::create_directories(plan.folder);
    plan.prepare();
    EXPECT_LE(bytes_in(plan.folder), 8 * (select.size() + 1));
    EXPECT_EQ(test::file_text(plan.folder / "ids-3.txt"), select.substr(1) + "2");
    request.fix = {select + "x"};
    EXPECT_THROW(plan_build(store, request), InputError);
}

TEST(Plans, PaintedLabelsGoThroughAFile) {
    const test::TemporaryFolder folder;
    Store store(folder.path(), "1");
    BuildRequest request;
    request.sample = "spoon";
    request.domains = DomainsRequest{std::nullopt, {0, 2, 2, 1}};
    const Plan plan = plan_build(store, request);
    EXPECT_NE(plan.command.find("--domains=file:labels.npy"), std::string::npos) << plan.command;
    std::filesystem::create_directories(plan.folder);
    plan.prepare();
    EXPECT_EQ(build::read_npy(plan.folder / "labels.npy").values, (std::vector<double>{0, 2, 2, 1}));
    // Other labels are another model.
    request.domains->labels[0] = 1;
    EXPECT_NE(plan_build(store, request).id, plan.id);
    request.domains = DomainsRequest{8, {}};
    EXPECT_NE(plan_build(store, request).command.find("--domains=auto:8"), std::string::npos);
}

}  // namespace
}  // namespace limber::studio
