#Rates of the native build, for orientation : the core 's kernels, and the same formulas with Eigen' s vectors alone.
#Included by the root, whose settings of the kernels' sources hold in its own folder only.
find_package(benchmark REQUIRED)

    set(LOOM_BENCH_FLAGS - march = x86 - 64 - v3 - maes - mpclmul) loom_core(core_bench ${LOOM_BENCH_FLAGS})
        add_executable(bench_core tests / bench / native / core_bench.cpp)
            target_link_libraries(bench_core PRIVATE core_bench benchmark::benchmark_main)

#Without EIGEN_DONT_VECTORIZE, which the core's own twin is compiled with.
                add_executable(bench_eigen tests / bench / native / eigen_bench.cpp)
                    target_include_directories(bench_eigen PRIVATE cpp)
                        target_include_directories(bench_eigen SYSTEM PRIVATE ${LOOM_SYSTEM_INCLUDES})
                            target_compile_options(bench_eigen PRIVATE ${LOOM_COMPILE_OPTIONS} ${LOOM_BENCH_FLAGS})
                                target_link_libraries(bench_eigen PRIVATE benchmark::benchmark_main)
