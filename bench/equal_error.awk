# equal_error.awk - work at equal error, for the awk programs of work-precision and calibration.
#
# least_time(n, error, time, target): the least time in which one method, run with n tolerances, reaches the target; "-" where
# none does; reached becomes the number of the run.  Tolerances are powers of ten: the time is interpolated, in logarithms,
# between the cheapest run within the target and the next one that is cheaper and misses it.
function least_time(n, error, time, target,    i, missed, t)
{
    reached = missed = 0
    for (i = 1; i <= n; i++)
        if (error[i] <= target && (!reached || time[i] < time[reached])) reached = i
    if (!reached) return "-"
    for (i = 1; i <= n; i++)
        if (error[i] > target && time[i] < time[reached] && (!missed || error[i] < error[missed])) missed = i
    t = time[reached]
    if (missed && error[reached] > 0)
        t *= exp(log(time[missed] / t) * log(target / error[reached]) / log(error[missed] / error[reached]))
    return t
}
